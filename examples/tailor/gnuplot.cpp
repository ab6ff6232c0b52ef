#include "gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tailor_program {
namespace {

namespace fs = std::filesystem;

/// A folder of its own that goes when the object does.
struct TemporaryFolder {
  fs::path path;
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "tailor-XXXXXX").string();
    if (mkdtemp(name.data())) path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path.empty()) fs::remove_all(path, ignored);
  }
};

/// Runs gnuplot on a script or with a flag, unheard.
bool run_gnuplot(std::string argument) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int const output : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
  }
  std::string program = "gnuplot";
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  int const failed = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 1;
  return failed == 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

bool can_draw() {
  return run_gnuplot("--version");
}

std::string data_block(std::string const& name, std::string const& rows) {
  return "$" + name + " << END_OF_DATA\n" + rows + "END_OF_DATA\n";
}

std::string gnuplot_text(std::string const& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + '"';
}

std::optional<std::string> draw(std::string const& script, int width, int height) {
  TemporaryFolder const folder;
  if (folder.path.empty()) return std::nullopt;
  fs::path const file = folder.path / "figure.gp", picture = folder.path / "figure.svg";
  std::ofstream(file) << "set encoding utf8\n"
                      << fmt::format(
                             "set terminal svg size {},{} dynamic font 'sans-serif,13' noenhanced "
                             "background rgb 'white'\n",
                             width, height)
                      << "set output '" << picture.string() << "'\n"
                      << "set border 3 lc rgb '#888888'\nset tics nomirror scale 0.5\n"
                      << "set grid lc rgb '#dddddd' lw 0.7\n"
                      << script << "\n";
  if (!run_gnuplot(file.string())) return std::nullopt;
  std::ostringstream svg;
  svg << std::ifstream(picture).rdbuf();
  if (svg.str().find("</svg>") == std::string::npos) return std::nullopt;
  return svg.str();
}

}  // namespace tailor_program
