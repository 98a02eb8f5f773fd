//===- OpenFile.h - complete reads and writes -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_FILES_OPENFILE_H
#define PARABLOCK_LIB_FILES_OPENFILE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace parablock::files {

/// Writes all of `bytes`; returns errno on failure, or 0.
int writeAll(int file, std::string_view bytes);

/// Reads `size` bytes, or up to the end of the file; returns errno on failure,
/// or 0.
int readAll(int file, uint64_t size, std::string &bytes);

/// Returns an unpredictable name that begins with `name`. The call that creates
/// the file must check that the name is free.
std::string makeTemporaryName(const std::string &name);

} // namespace parablock::files

#endif // PARABLOCK_LIB_FILES_OPENFILE_H
