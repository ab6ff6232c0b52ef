// Writes numbers from standard input as a .npy matrix, for the tests of the program.
//   write_npy FILE f4|f8 COLUMNS

#include <iostream>
#include <span>
#include <string>
#include <vector>

#include <tailor/io/npy.hpp>  // tailor::write_npy

namespace {

template <class T>
void write(std::string const& file, std::vector<double> const& numbers, int columns) {
  std::vector<T> const values(numbers.begin(), numbers.end());
  tailor::write_npy(file, {std::int64_t(values.size()) / columns, columns},
                    std::span<T const>(values));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::string const type = argv[2];
  int const columns = std::stoi(argv[3]);
  std::vector<double> numbers;
  for (std::string word; std::cin >> word;) numbers.push_back(std::stod(word));
  type == "f4" ? write<float>(argv[1], numbers, columns) : write<double>(argv[1], numbers, columns);
}
