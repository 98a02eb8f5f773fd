//===- InputFile.h - files that users name ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_INPUTFILE_H
#define PARABLOCK_SUPPORT_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace parablock {

/// Text has a zero behind it, which costs bytes a copy where they fill pages.
enum class InputForm { Text, Bytes };

/// The bytes that are taken of a pipe, which may have no end.
inline constexpr uint64_t mostPipeBytes = uint64_t(1) << 32;

/// Reads a regular file, which is mapped, a pipe or a terminal. The error says
/// why it cannot be read, without its name; a device has no end, and is none.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path, InputForm form, uint64_t most = mostPipeBytes);

/// The same, of standard input where the path is "-".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInput(llvm::StringRef path, InputForm form, uint64_t most = mostPipeBytes);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_INPUTFILE_H
