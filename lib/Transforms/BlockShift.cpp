//===- BlockShift.cpp - pass block-shift ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/PairSelection.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/ShiftLayers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKSHIFT
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
struct BlockShiftPass : public block::impl::BlockShiftBase<BlockShiftPass> {
  using BlockShiftBase::BlockShiftBase;

  void runOnOperation() final {
    FailureOr<SmallVector<LayerPair>> pairs =
        selectPairs(getOperation(), blocks, Pairing::Shifted);
    if (failed(pairs))
      return signalPassFailure();
    if (pairs->empty())
      return recordNoMatch(getOperation(), "block-shift",
                           "two consecutive layers");
    shiftLayers(getOperation(), *pairs, "block-shift");
  }
};
} // namespace
