//===- SourceText.h - IR that parsers can take ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_SOURCETEXT_H
#define PARABLOCK_SUPPORT_SOURCETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace parablock {

/// Refuses text of IR that MLIR's parser would run out of stack on: it calls
/// itself for every bracket (regions, lists, types, maps) and every sign of a
/// map, and what comes after it for every region. Bytecode passes unseen.
llvm::Error checkSourceText(llvm::StringRef text, llvm::StringRef path);

/// Reads IR from a file, or from standard input for "-", and refuses such text.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readSourceText(llvm::StringRef path);

/// Tells whether `text` is MLIR's bytecode, whose reader trusts what it reads.
bool isBytecodeText(llvm::StringRef text);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_SOURCETEXT_H
