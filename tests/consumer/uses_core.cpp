#include <tailor/arch/plan.hpp>

int main() {
  return tailor::Plan{}.d_model;
}
