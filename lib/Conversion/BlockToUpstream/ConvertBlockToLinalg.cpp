//===- ConvertBlockToLinalg.cpp - runs the linalg emitter as a pass -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LinalgEmitter.h"
#include "LowerToUpstream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Conversion/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_CONVERTBLOCKTOLINALG
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;

namespace {
struct ConvertBlockToLinalgPass final
    : parablock::impl::ConvertBlockToLinalgBase<ConvertBlockToLinalgPass> {
  using ConvertBlockToLinalgBase::ConvertBlockToLinalgBase;

  void runOnOperation() override {
    auto makeEmitter = [](OpBuilder &builder, Location loc) {
      return std::make_unique<LinalgEmitter>(builder, loc);
    };
    if (failed(lowerToUpstream(getOperation(), getArgument(), makeEmitter)))
      return signalPassFailure();
    if (plain)
      dropOwnAttributes(getOperation());
  }
};
} // namespace
