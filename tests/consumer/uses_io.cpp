#include <tailor/io/npy.hpp>

#include <filesystem>
#include <vector>

int main() {
  auto const path = std::filesystem::temp_directory_path() / "tailor_consumer.npy";
  std::vector<float> const written = {1, 2, 3, 4, 5, 6};
  tailor::write_npy<float>(path, {2, 3}, written);
  auto const array = tailor::read_npy<float>(path);
  std::filesystem::remove(path);
  return array.values == written ? 0 : 1;
}
