//===- BlockOps.td - every op of the block dialect ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKOPS_TD
#define PARABLOCK_IR_BLOCKOPS_TD

include "parablock/IR/BlockAttentionOps.td"
include "parablock/IR/BlockFusionOps.td"
include "parablock/IR/BlockLayerOps.td"
include "parablock/IR/BlockMlpOps.td"
include "parablock/IR/BlockNormOps.td"

#endif // PARABLOCK_IR_BLOCKOPS_TD
