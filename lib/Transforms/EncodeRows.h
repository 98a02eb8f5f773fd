//===- EncodeRows.h - rows of products in codes -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_ENCODEROWS_H
#define PARABLOCK_LIB_TRANSFORMS_ENCODEROWS_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// Rounds the rows that products in `layer` multiply with FP8 codes to codes,
/// once for all products of the same rows; remarks of pass `pass` name products
/// that keep their rows. Returns the number of products with encoded rows.
unsigned encodeRows(LayerOp layer, llvm::StringRef pass);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_ENCODEROWS_H
