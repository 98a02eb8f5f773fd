//===- Ranks.h - how many devices a module is for ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_SHARD_RANKS_H
#define PARABLOCK_TRANSFORMS_SHARD_RANKS_H

#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace parablock {

/// Returns the number of ranks of the `shard.grid` of `module`; none without a
/// grid.
std::optional<int64_t> countRanks(mlir::ModuleOp module);

/// Attribute of a sum that is not exposed. It is set when kernels become device
/// code, because the ops of a launch are not visible later.
inline constexpr llvm::StringLiteral kStartedSumAttr = "plan.started";

} // namespace parablock

#endif // PARABLOCK_TRANSFORMS_SHARD_RANKS_H
