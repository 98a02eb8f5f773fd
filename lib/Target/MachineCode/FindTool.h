//===- FindTool.h - finds and runs CUDA programs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TARGET_MACHINECODE_FINDTOOL_H
#define PARABLOCK_LIB_TARGET_MACHINECODE_FINDTOOL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace parablock {

/// Returns the path of the program `name`: in `cudaPath` alone if given, else
/// on PATH, in CUDA_HOME, in CUDA_PATH, or next to this program.
llvm::Expected<std::string> findTool(llvm::StringRef name,
                                     llvm::StringRef cudaPath);

/// Runs a program whose path is the first element of `command`; its output goes
/// to the file `log`. Returns its exit code.
llvm::Expected<int> runTool(llvm::ArrayRef<llvm::StringRef> command,
                            llvm::StringRef log);

} // namespace parablock

#endif // PARABLOCK_LIB_TARGET_MACHINECODE_FINDTOOL_H
