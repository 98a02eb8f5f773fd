//===- BlockRequire.cpp - pass block-require ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassRegistry.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

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
    if (!function.empty() && !findMainFunction(getOperation(), function))
      return signalPassFailure();
    // A layer, then its gradient.
    llvm::MapVector<std::tuple<Operation *, StringAttr, uint64_t>,
                    SmallVector<LayerOp>>
        layers;
    getOperation()->walk([&](LayerOp layer) {
      auto owner = layer->getParentOfType<FunctionOpInterface>();
      if (function.empty() || (owner && owner.getName() == function))
        layers[{owner, layer.getLabelAttr(), layer.getIndex()}].push_back(
            layer);
    });
    bool found = !layers.empty(), met = true;
    for (auto &[name, same] : layers)
      for (const std::string &flag : fusions)
        met &= succeeded(requireIn(same, flag));
    if (!found)
      getOperation()->emitError() << "expected layers, got none; block-raise "
                                     "finds them in ops of other dialects";
    if (!found || !met)
      signalPassFailure();
  }

  /// Checks that one of the logs records the rewrite of `flag`.
  static LogicalResult requireIn(ArrayRef<LayerOp> same, StringRef flag) {
    SmallVector<DecisionAttr> misses;
    for (LayerOp layer : same)
      if (std::optional<ArrayAttr> log = LayerOp(layer).getLog())
        for (auto decision : log->getAsRange<DecisionAttr>()) {
          if (decision.getPass() != flag)
            continue;
          if (decision.getOutcome() == Outcome::Passed)
            return success();
          misses.push_back(decision);
        }
    LayerOp layer = same.front();
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
