#include <everything.hpp>

int second() {
  return 0;
}
