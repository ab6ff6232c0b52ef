#include <tailor/io/atomic_file.hpp>  // what is tested

#include <support/catch.hpp>             // Catch2
#include <support/temporary_folder.hpp>  // TemporaryFolder
#include <support/thrown_message.hpp>    // thrown_message, contains

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

long files(std::filesystem::path const& folder) {
  return std::distance(std::filesystem::directory_iterator(folder),
                       std::filesystem::directory_iterator());
}

std::string content(std::filesystem::path const& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("a reader sees the old content until commit and the whole new one after it", "[io]") {
  TemporaryFolder const folder;
  auto const path = folder / "file";
  tailor::write_file(path, "old");
  {
    tailor::AtomicFile file(path);
    file.write("new ");
    CHECK(content(path) == "old");
    file.write(std::string(1 << 20, 'x'));
    file.commit();
  }
  CHECK(content(path) == "new " + std::string(1 << 20, 'x'));
  CHECK(files(folder) == 1);
}

TEST_CASE("without a commit the old file stays and nothing is left beside it", "[io]") {
  TemporaryFolder const folder;
  auto const path = folder / "file";
  tailor::write_file(path, "old");
  tailor::AtomicFile(path).write("half");
  CHECK(content(path) == "old");
  CHECK(files(folder) == 1);
}

TEST_CASE("a path that cannot be written is an error with path and the system's words", "[io]") {
  CHECK(
      contains(thrown_message<std::runtime_error>([] { tailor::write_file("/nowhere/file", "x"); }),
               "cannot create /nowhere/file"));
  CHECK(
      contains(thrown_message<std::runtime_error>([] { tailor::write_file("/nowhere/file", "x"); }),
               "No such file or directory"));
  TemporaryFolder const folder;
  std::filesystem::create_directories(folder / "folder" / "inside");
  CHECK(contains(
      thrown_message<std::runtime_error>([&] { tailor::write_file(folder / "folder", "x"); }),
      "cannot rename to"));
  CHECK(files(folder) == 1);
}
