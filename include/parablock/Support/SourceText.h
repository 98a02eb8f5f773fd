//===- SourceText.h - checks of IR text -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_SOURCETEXT_H
#define PARABLOCK_SUPPORT_SOURCETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace parablock {

/// Rejects IR text on which MLIR's parser would run out of stack: it recurses
/// for every bracket (regions, lists, types, maps) and every operator of a map,
/// and later passes recurse for every region. Bytecode is not checked.
llvm::Error checkSourceText(llvm::StringRef text, llvm::StringRef path);

/// Reads IR from a file, or from standard input for "-", and rejects such text.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readSourceText(llvm::StringRef path);

/// Returns whether `text` is MLIR bytecode, whose reader trusts its input.
bool isBytecodeText(llvm::StringRef text);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_SOURCETEXT_H
