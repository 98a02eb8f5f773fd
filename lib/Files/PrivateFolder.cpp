//===- PrivateFolder.cpp - opens, maps and evicts files -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The folder stays open, and all operations use that handle, so a user who can
// change parent folders cannot substitute another one.
//
//===----------------------------------------------------------------------===//

#include "parablock/Files/PrivateFolder.h"

#include "OpenFile.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace parablock::files;

/// Seconds for which another process may still write an unfinished file.
static constexpr time_t secondsToWrite = 3600;
static constexpr mode_t writableByOthers = S_IWGRP | S_IWOTH;

static bool isOwn(const struct stat &info) {
  return info.st_uid == geteuid() && (info.st_mode & writableByOthers) == 0;
}

PrivateFolder::~PrivateFolder() {
  if (folder >= 0)
    close(folder);
}

static void makeFolders(const std::string &path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    // A failure shows when the last one is opened.
    (void)mkdir(path.substr(0, end).c_str(), S_IRWXU);
    if (end == std::string::npos)
      return;
  }
}

Status PrivateFolder::open(const std::string &path) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  folder = ::open(path.c_str(), flags);
  if (folder < 0 && errno == ENOENT) {
    makeFolders(path);
    folder = ::open(path.c_str(), flags);
  }
  if (folder < 0)
    return fail(path + ": " + std::strerror(errno));
  struct stat info;
  std::string fault;
  if (fstat(folder, &info) != 0)
    fault = std::strerror(errno);
  else if (info.st_uid != geteuid())
    fault = "expected a folder of the user's own, got another user's";
  else if (!isOwn(info))
    fault = "expected a folder that no other user may write to";
  if (fault.empty())
    return {};
  close(folder);
  folder = -1;
  return fail(path + ": " + fault);
}

int PrivateFolder::openOwn(const std::string &name, uint64_t &size) const {
  // A pipe without a writer is waited for otherwise.
  int file = openat(folder, name.c_str(),
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return file;
  struct stat info;
  if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && isOwn(info)) {
    size = static_cast<uint64_t>(info.st_size);
    return file;
  }
  close(file);
  return -1;
}

bool PrivateFolder::read(const std::string &name, uint64_t most,
                         std::string &bytes) const {
  uint64_t size = 0;
  int file = openOwn(name, size);
  if (file < 0)
    return false;
  bool isRead = size <= most && readAll(file, size, bytes) == 0;
  if (isRead)
    (void)futimens(file, nullptr); // now
  close(file);
  return isRead;
}

bool PrivateFolder::map(const std::string &name, uint64_t size,
                        FileMapping &mapping) const {
  uint64_t found = 0;
  int file = openOwn(name, found);
  if (file < 0)
    return false;
  void *place = MAP_FAILED;
  if (found == size)
    place = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  bool isMapped = place != MAP_FAILED;
  if (isMapped) {
    madvise(place, size, MADV_HUGEPAGE); // only a wish
    mapping = FileMapping(place, size);
    (void)futimens(file, nullptr); // now
  }
  close(file);
  return isMapped;
}

FileMapping::~FileMapping() {
  if (place)
    munmap(place, size);
}

Status PrivateFolder::write(const std::string &name,
                            const std::vector<std::string_view> &parts) const {
  std::string temporary = makeTemporaryName(name);
  int file = openat(folder, temporary.c_str(),
                    O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC,
                    S_IRUSR | S_IWUSR);
  if (file < 0)
    return fail(name + ": " + std::strerror(errno));
  int code = 0;
  for (std::string_view part : parts)
    if (code == 0)
      code = writeAll(file, part);
  if (close(file) != 0 && code == 0)
    code = errno;
  if (code == 0 &&
      renameat(folder, temporary.c_str(), folder, name.c_str()) != 0)
    code = errno;
  if (code == 0)
    return {};
  (void)unlinkat(folder, temporary.c_str(), 0);
  return fail(name + ": " + std::strerror(code));
}

namespace {
struct Entry {
  std::string name;
  timespec used;
  uint64_t bytes;

  bool operator<(const Entry &other) const {
    return used.tv_sec != other.used.tv_sec ? used.tv_sec < other.used.tv_sec
                                            : used.tv_nsec < other.used.tv_nsec;
  }
};
} // namespace

static bool endsWith(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() &&
         text.substr(text.size() - ending.size()) == ending;
}

void PrivateFolder::limit(std::string_view ending, uint64_t most) const {
  // The handle's own place in the list of files stays where it is.
  DIR *list =
      fdopendir(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!list)
    return;
  std::vector<Entry> entries;
  uint64_t sum = 0;
  while (const dirent *each = readdir(list)) {
    std::string name = each->d_name;
    bool isPartial = endsWith(name, ".tmp") &&
                     name.find(std::string(ending) + ".") != std::string::npos;
    struct stat info;
    if ((!isPartial && !endsWith(name, ending)) ||
        fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(info.st_mode))
      continue;
    if (isPartial) {
      if (time(nullptr) - info.st_mtime > secondsToWrite)
        (void)unlinkat(folder, name.c_str(), 0);
      continue;
    }
    entries.push_back(
        {std::move(name), info.st_mtim, static_cast<uint64_t>(info.st_size)});
    sum += entries.back().bytes;
  }
  closedir(list);
  std::sort(entries.begin(), entries.end());
  for (const Entry &entry : entries) {
    if (sum <= most)
      return;
    // Another process may have been faster.
    (void)unlinkat(folder, entry.name.c_str(), 0);
    sum -= entry.bytes;
  }
}
