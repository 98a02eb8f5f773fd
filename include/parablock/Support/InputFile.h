//===- InputFile.h - input files, pipes and terminals -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_INPUTFILE_H
#define PARABLOCK_SUPPORT_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace parablock {

/// Text is followed by a zero, which requires a copy if it fills its pages.
enum class InputForm { Text, Bytes };

/// Maximum number of bytes read from a pipe, which may be infinite.
inline constexpr uint64_t mostPipeBytes = uint64_t(1) << 32;

/// Reads a regular file, which is mapped, a pipe or a terminal. The error is
/// the reason without the file's name; devices are rejected, since they have no
/// end.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path, InputForm form, uint64_t most = mostPipeBytes);

/// Like readFile, or reads standard input if the path is "-".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInput(llvm::StringRef path, InputForm form, uint64_t most = mostPipeBytes);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_INPUTFILE_H
