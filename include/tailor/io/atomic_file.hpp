#pragma once
// A file that is either the old one or all of the new one, whenever the power fails.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tailor {

/// Throws std::runtime_error: what failed, on which path, and the system's words for it.
[[noreturn]] inline void file_error(std::string const& what, std::filesystem::path const& path,
                                    int error) {
  throw std::runtime_error(what + " " + path.string() + ": " +
                           std::generic_category().message(error));
}

/// A file that is written beside `path` under a temporary name and takes its place on commit().
/// Without a commit the temporary file goes and whatever was at `path` stays.
/// Error: std::runtime_error with path and the system's words, for every step that fails.
/// @post a reader sees the old content until commit and the whole new one after it
class AtomicFile {
 public:
  /// The temporary name carries the process: two writers of one path do not mix, the last one wins.
  explicit AtomicFile(std::filesystem::path path)
      : path_(std::move(path)), temporary_(path_.string() + ".partial" + std::to_string(getpid())) {
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) file_error("cannot create", temporary_, errno);
  }
  AtomicFile(AtomicFile const&) = delete;
  AtomicFile& operator=(AtomicFile const&) = delete;
  ~AtomicFile() {
    if (file_ >= 0) ::close(file_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  void write(std::span<std::byte const> bytes) {
    while (!bytes.empty()) {
      ssize_t const written = ::write(file_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) file_error("cannot write", temporary_, errno);
      if (written > 0) bytes = bytes.subspan(std::size_t(written));
    }
  }
  void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }

  /// Flushes to the disk, closes and renames.
  void commit() {
    if (::fsync(file_) != 0) file_error("cannot flush", temporary_, errno);
    if (::close(std::exchange(file_, -1)) != 0) file_error("cannot close", temporary_, errno);
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
      file_error("cannot rename to", path_, errno);
    }
    temporary_.clear();
    flush_folder();
  }

 private:
  /// The new name itself reaches the disk with its folder. Some file systems do not offer that; the
  /// content is safe all the same.
  void flush_folder() const {
    auto const folder = path_.has_parent_path() ? path_.parent_path() : std::filesystem::path(".");
    int const handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) return;
    ::fsync(handle);
    ::close(handle);
  }

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int file_ = -1;
};

/// Writes `text` as the whole content of `path`, atomically.
inline void write_file(std::filesystem::path const& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace tailor
