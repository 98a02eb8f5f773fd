//===- BlockOps.td - every op of the block dialect ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKOPS_TD
#define PARABLOCK_IR_BLOCKOPS_TD

include "parablock/Dialect/Block/BlockAttentionOps.td"
include "parablock/Dialect/Block/BlockCodeOps.td"
include "parablock/Dialect/Block/BlockExpertOps.td"
include "parablock/Dialect/Block/BlockFusionOps.td"
include "parablock/Dialect/Block/BlockGradientOps.td"
include "parablock/Dialect/Block/BlockLayerOps.td"
include "parablock/Dialect/Block/BlockMlpOps.td"
include "parablock/Dialect/Block/BlockNormOps.td"
include "parablock/Dialect/Block/BlockRankOps.td"
include "parablock/Dialect/Block/BlockSamplingOps.td"

#endif // PARABLOCK_IR_BLOCKOPS_TD
