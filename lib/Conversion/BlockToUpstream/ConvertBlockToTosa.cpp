//===- ConvertBlockToTosa.cpp - runs the TOSA emitter as a pass -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LowerToUpstream.h"
#include "TosaEmitter.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "parablock/Conversion/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_CONVERTBLOCKTOTOSA
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;

namespace {
struct ConvertBlockToTosaPass final
    : parablock::impl::ConvertBlockToTosaBase<ConvertBlockToTosaPass> {
  using ConvertBlockToTosaBase::ConvertBlockToTosaBase;

  void runOnOperation() override {
    auto makeEmitter = [](OpBuilder &builder, Location loc) {
      return std::make_unique<TosaEmitter>(builder, loc);
    };
    if (failed(lowerToUpstream(getOperation(), getArgument(), makeEmitter,
                               emitMove)))
      return signalPassFailure();
    if (plain)
      dropOwnAttributes(getOperation());
  }
};
} // namespace
