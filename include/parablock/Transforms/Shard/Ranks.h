//===- Ranks.h - how many devices a module is for ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_SHARD_RANKS_H
#define PARABLOCK_TRANSFORMS_SHARD_RANKS_H

#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace parablock {

/// How many ranks run the functions of `module`, by its `shard.grid`, or none
/// where it has none.
std::optional<int64_t> countRanks(mlir::ModuleOp module);

/// Attribute of a sum that is not exposed, set where kernels become device
/// code: later, what a launch computes is not visible.
inline constexpr llvm::StringLiteral kStartedSumAttr = "plan.started";

} // namespace parablock

#endif // PARABLOCK_TRANSFORMS_SHARD_RANKS_H
