//===- PassOptions.h - options of passes ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_OPT_PASSOPTIONS_H
#define PARABLOCK_TOOLS_BLOCK_OPT_PASSOPTIONS_H

#include "llvm/ADT/ArrayRef.h"

/// Lists, as part of an error, the options of every pass on the command line
/// that has some.
void listPassOptions(llvm::ArrayRef<char *> arguments);

#endif // PARABLOCK_TOOLS_BLOCK_OPT_PASSOPTIONS_H
