//===- KeptNorms.h - mark of norms kept for gradients -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_KEPTNORMS_H
#define PARABLOCK_TRANSFORMS_KEPTNORMS_H

#include "llvm/ADT/StringRef.h"

namespace parablock::block {

/// Marks a norm that is read by a weight's gradient but has no norm gradient.
/// When such a norm is recomputed, forward contains no trace of it; without the
/// mark a memory budget would decide whether it folds.
inline constexpr llvm::StringLiteral kKeptNormAttr = "differentiate.kept";

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_KEPTNORMS_H
