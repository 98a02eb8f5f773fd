//===- AtomicFile.cpp - temporary names, flushes and renames --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/AtomicFile.h"

#include "OpenFile.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace parablock::files;

static std::string getFolder(const std::string &path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

static std::string getName(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// Returns a name in the folder of `path`.
static std::string makeNameBeside(const std::string &path) {
  return getFolder(path) + "/" + makeTemporaryName(getName(path));
}

/// Maximum number of attempts to find a free name.
static constexpr unsigned attempts = 100;
static constexpr mode_t permissions = 0777;

/// Returns whether `path` names an open file of a process. The target of such a
/// link is the file's original path, but opening the link always opens that
/// file.
static bool isOpenFile(const std::string &path) {
  return path.compare(0, 6, "/proc/") == 0 ||
         path.compare(0, 8, "/dev/fd/") == 0;
}

/// Returns the file that `path` leads to, which need not exist. None after more
/// links than any system follows.
static std::optional<std::string> followLinks(std::string path) {
  for (unsigned links = 0; links < 40; ++links) {
    if (isOpenFile(path))
      return path;
    char target[PATH_MAX];
    ssize_t length = readlink(path.c_str(), target, sizeof(target));
    if (length < 0)
      return path;
    std::string to(target, static_cast<size_t>(length));
    path = to.compare(0, 1, "/") == 0 ? to : getFolder(path) + "/" + to;
  }
  return std::nullopt;
}

Status AtomicFile::refuse(int code) const {
  return fail(path + ": " + std::strerror(code));
}

Status AtomicFile::create(const std::string &to, Naming naming) {
  path = to;
  if (path.empty())
    return fail("expected the name of an output file, got an empty one");
  std::optional<std::string> followed = followLinks(path);
  if (!followed)
    return refuse(ELOOP);
  destination = *followed;
  struct stat info;
  bool exists = stat(destination.c_str(), &info) == 0;
  if (!exists && errno != ENOENT)
    return refuse(errno);
  if (exists && S_ISDIR(info.st_mode))
    return fail(path + ": expected a file to write, got a directory");
  isSpecial = exists && (!S_ISREG(info.st_mode) || isOpenFile(destination));
  if (isSpecial)
    return openSpecial();
  if (Status failure = openTemporary(naming))
    return failure;
  if (exists && fchmod(file, info.st_mode & permissions) != 0) {
    int code = errno;
    discard();
    return refuse(code);
  }
  return {};
}

Status AtomicFile::openSpecial() {
  file = open(destination.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  return file < 0 ? refuse(errno) : Status();
}

static std::string getOwnLink(int file) {
  return "/proc/self/fd/" + std::to_string(file);
}

Status AtomicFile::openTemporary(Naming naming) {
  constexpr mode_t mode = 0666; // minus the bits of the umask
#ifdef O_TMPFILE
  if (naming == Late)
    file = open(getFolder(destination).c_str(),
                O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (file >= 0 && access(getOwnLink(file).c_str(), F_OK) == 0)
    return {};
  if (file >= 0) // it could not be given a name
    close(file);
#endif
  for (unsigned attempt = 0; attempt < attempts; ++attempt) {
    temporary = makeNameBeside(destination);
    file = open(temporary.c_str(),
                O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, mode);
    if (file >= 0)
      return {};
    if (errno != EEXIST)
      break;
  }
  temporary.clear();
  return refuse(errno);
}

Status AtomicFile::write(std::string_view bytes) {
  int code = writeAll(file, bytes);
  return code ? refuse(code) : Status();
}

/// Names a file without a name.
Status AtomicFile::giveName() {
  for (unsigned attempt = 0; attempt < attempts; ++attempt) {
    std::string name = makeNameBeside(destination);
    if (linkat(AT_FDCWD, getOwnLink(file).c_str(), AT_FDCWD, name.c_str(),
               AT_SYMLINK_FOLLOW) == 0) {
      temporary = name;
      return {};
    }
    if (errno != EEXIST)
      break;
  }
  return refuse(errno);
}

/// Flushes to the disk if possible; some file systems do not support it.
static bool synchronize(int file) {
  return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP ||
         errno == EROFS;
}

Status AtomicFile::keep() {
  Status failure;
  if (!isSpecial && !synchronize(file))
    failure = refuse(errno);
  if (!failure && !isSpecial && temporary.empty())
    failure = giveName();
  int closing = file;
  file = -1;
  if (close(closing) != 0 && !failure)
    failure = refuse(errno);
  if (!failure && !isSpecial) {
    if (rename(temporary.c_str(), destination.c_str()) == 0)
      temporary.clear();
    else
      failure = refuse(errno);
  }
  discard();
  if (failure || isSpecial)
    return failure;
  // The name is durable once its folder is flushed. A writable folder need not
  // be readable.
  int folder =
      open(getFolder(destination).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return {};
  if (!synchronize(folder))
    failure = refuse(errno);
  close(folder);
  return failure;
}

void AtomicFile::discard() {
  if (file >= 0)
    close(file);
  file = -1;
  if (!temporary.empty())
    unlink(temporary.c_str());
  temporary.clear();
}

Status parablock::files::writeWhole(const std::string &path,
                                    std::string_view contents) {
  AtomicFile file;
  if (Status failure = file.create(path))
    return failure;
  if (Status failure = file.write(contents))
    return failure;
  return file.keep();
}

Status parablock::files::readWhole(const std::string &path, uint64_t most,
                                   std::string &bytes) {
  auto refuse = [&](int code) {
    return fail(path + ": " + std::strerror(code));
  };
  // A pipe without a writer is waited for otherwise.
  int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return refuse(errno);
  struct stat info;
  Status failure;
  if (fstat(file, &info) != 0)
    failure = refuse(errno);
  else if (S_ISDIR(info.st_mode))
    failure = refuse(EISDIR);
  else if (!S_ISREG(info.st_mode))
    failure = fail(path + ": expected a regular file");
  else if (static_cast<uint64_t>(info.st_size) > most)
    failure = fail(path + ": expected at most " + std::to_string(most) +
                   " bytes, got " + std::to_string(info.st_size));
  uint64_t size = failure ? 0 : static_cast<uint64_t>(info.st_size);
  if (int code = readAll(file, size, bytes))
    failure = refuse(code);
  close(file);
  return failure;
}
