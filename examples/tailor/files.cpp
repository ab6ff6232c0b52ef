#include "files.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include <tailor/io/atomic_file.hpp>  // tailor::write_file
#include <tailor/io/plan_json.hpp>    // from_json(Plan)

namespace tailor_program {

namespace fs = std::filesystem;

nlohmann::json read_json(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || fs::is_directory(file)) {
    throw std::invalid_argument(file.string() + ": cannot be read as a file");
  }
  try {
    return nlohmann::json::parse(in);
  } catch (nlohmann::json::exception const& error) {
    throw std::invalid_argument(file.string() + ": not JSON: " + error.what());
  }
}

void write_json(fs::path const& file, nlohmann::json const& content) {
  tailor::write_file(file, content.dump(2) + "\n");
}

tailor::Plan read_plan(fs::path const& file) {
  nlohmann::json const content = read_json(file);
  try {
    return content.get<tailor::Plan>();
  } catch (std::invalid_argument const& error) {
    throw std::invalid_argument(file.string() + ": " + error.what());
  }
}

void check_output(fs::path const& file) {
  fs::path const folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (fs::is_directory(file)) {
    throw std::invalid_argument(file.string() + ": a file to write is expected, this is a folder");
  }
  if (!fs::is_directory(folder)) {
    throw std::invalid_argument(file.string() + ": the folder " + folder.string() +
                                " does not exist");
  }
  if (fs::exists(file) && !fs::is_regular_file(file)) {
    throw std::invalid_argument(file.string() + ": a file to write is expected, this is none");
  }
  if (access(folder.c_str(), W_OK) != 0) {
    throw std::invalid_argument(file.string() + ": the folder " + folder.string() +
                                " cannot be written to");
  }
}

void check_output_folder(fs::path const& folder) {
  if (fs::exists(folder) && !fs::is_directory(folder)) {
    throw std::invalid_argument(folder.string() + ": a folder is expected, this is a file");
  }
}

void sweep_partial_files(fs::path const& folder) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::string const name = it->path().filename().string(), mark = ".partial";
    std::size_t const at = name.rfind(mark);
    if (at == std::string::npos) continue;
    int const process = std::atoi(name.c_str() + at + mark.size());
    bool const gone = process <= 0 || (kill(process, 0) != 0 && errno == ESRCH);
    std::error_code ignored;
    if (gone) fs::remove(it->path(), ignored);
  }
}

void make_folder(fs::path const& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw std::invalid_argument(folder.string() + ": cannot be made a folder" +
                                (error ? ": " + error.message() : ""));
  }
}

}  // namespace tailor_program
