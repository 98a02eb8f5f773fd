//===- BlockRequire.cpp - fails unless every layer has its fusions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Pass/PassRegistry.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKREQUIRE
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
struct BlockRequirePass
    : public block::impl::BlockRequireBase<BlockRequirePass> {
  using BlockRequireBase::BlockRequireBase;

  void runOnOperation() final {
    if (fusions.empty()) {
      getOperation()->emitError()
          << "expected fusions to name at least one pass, got none";
      return signalPassFailure();
    }
    for (const std::string &flag : fusions)
      if (!PassInfo::lookup(flag)) {
        getOperation()->emitError()
            << "unknown pass '" << flag << "' in fusions";
        return signalPassFailure();
      }
    bool found = false, met = true;
    getOperation()->walk([&](LayerOp layer) {
      found = true;
      for (const std::string &flag : fusions)
        met &= succeeded(requireIn(layer, flag));
    });
    if (!found)
      getOperation()->emitError() << "expected layers, got none; block-raise "
                                     "finds them in ops of other dialects";
    if (!found || !met)
      signalPassFailure();
  }

  /// The layer's log says that `flag` did its rewrite.
  static LogicalResult requireIn(LayerOp layer, StringRef flag) {
    SmallVector<DecisionAttr> misses;
    if (std::optional<ArrayAttr> log = layer.getLog())
      for (auto decision : log->getAsRange<DecisionAttr>()) {
        if (decision.getPass() != flag)
          continue;
        if (decision.getOutcome() == Outcome::Passed)
          return success();
        misses.push_back(decision);
      }
    InFlightDiagnostic diag = layer.emitError()
                              << "layer '" << layer.getLabel()
                              << "' does not have the required " << flag;
    if (misses.empty())
      diag.attachNote() << "its log holds no decision of that pass";
    for (DecisionAttr miss : misses)
      diag.attachNote() << "missed: "
                        << (miss.getReason() ? miss.getReason().getValue() : "")
                        << (miss.getLocation()
                                ? " at " + miss.getLocation().getValue().str()
                                : "");
    return diag;
  }
};
} // namespace
