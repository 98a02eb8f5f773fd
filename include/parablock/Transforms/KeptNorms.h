//===- KeptNorms.h - norms that a gradient reads ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_KEPTNORMS_H
#define PARABLOCK_TRANSFORMS_KEPTNORMS_H

#include "llvm/ADT/StringRef.h"

namespace parablock::block {

/// Mark of a norm that a gradient by a weight reads and no gradient of a norm
/// is of: where that computes it again, forward has nothing that says so, and a
/// budget of memory would decide whether it folds.
inline constexpr llvm::StringLiteral kKeptNormAttr = "differentiate.kept";

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_KEPTNORMS_H
