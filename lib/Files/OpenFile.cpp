//===- OpenFile.cpp - loops over read and write ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpenFile.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <sys/random.h>
#include <unistd.h>

using namespace parablock;

int files::writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return errno;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

int files::readAll(int file, uint64_t size, std::string &bytes) {
  bytes.resize(size);
  size_t got = 0;
  int code = 0;
  while (got < size) {
    ssize_t count = ::read(file, &bytes[got], size - got);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      code = errno;
    if (count <= 0)
      break;
    got += static_cast<size_t>(count);
  }
  bytes.resize(got);
  return code;
}

std::string files::makeTemporaryName(const std::string &name) {
  static std::atomic<uint64_t> counter{0};
  uint64_t number = 0;
  if (getrandom(&number, sizeof(number), 0) != sizeof(number)) {
    timespec now = {};
    clock_gettime(CLOCK_REALTIME, &now);
    number = static_cast<uint64_t>(now.tv_nsec) << 32 ^
             static_cast<uint64_t>(getpid());
  }
  number += ++counter;
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx",
                static_cast<unsigned long long>(number));
  // Names have 255 bytes at most.
  return name.substr(0, 200) + "." + digits + ".tmp";
}
