#include <tailor/io/atomic_file.hpp>  // what is tested

#include <support/catch.hpp>           // Catch2
#include <support/thrown_message.hpp>  // thrown_message

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tailor_atomic_" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }

  long files() const {
    return std::distance(std::filesystem::directory_iterator(path),
                         std::filesystem::directory_iterator());
  }
};

std::string content(std::filesystem::path const& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("a reader sees the old content until commit and the whole new one after it", "[io]") {
  Folder const folder;
  auto const path = folder.path / "file";
  tailor::write_file(path, "old");
  {
    tailor::AtomicFile file(path);
    file.write("new ");
    CHECK(content(path) == "old");
    file.write(std::string(1 << 20, 'x'));
    file.commit();
  }
  CHECK(content(path) == "new " + std::string(1 << 20, 'x'));
  CHECK(folder.files() == 1);
}

TEST_CASE("without a commit the old file stays and nothing is left beside it", "[io]") {
  Folder const folder;
  auto const path = folder.path / "file";
  tailor::write_file(path, "old");
  tailor::AtomicFile(path).write("half");
  CHECK(content(path) == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("a path that cannot be written is an error with path and the system's words", "[io]") {
  CHECK(
      contains(thrown_message<std::runtime_error>([] { tailor::write_file("/nowhere/file", "x"); }),
               "cannot create /nowhere/file"));
  CHECK(
      contains(thrown_message<std::runtime_error>([] { tailor::write_file("/nowhere/file", "x"); }),
               "No such file or directory"));
  Folder const folder;
  std::filesystem::create_directories(folder.path / "folder" / "inside");
  CHECK(contains(
      thrown_message<std::runtime_error>([&] { tailor::write_file(folder.path / "folder", "x"); }),
      "cannot rename to"));
  CHECK(folder.files() == 1);
}
