//===- BlockReversible.cpp - pass block-reversible ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/SerialForm.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include <array>

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKREVERSIBLE
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static constexpr StringLiteral kReversible = "block-reversible";

namespace {
/// Two streams in fixed point.
using Lanes = std::array<Value, 2>;

struct BlockReversiblePass
    : public block::impl::BlockReversibleBase<BlockReversiblePass> {
  using BlockReversibleBase::BlockReversibleBase;

  void runOnOperation() final {
    func::FuncOp function = findMainFuncOp(getOperation(), functionName);
    if (!function || failed(checkStream()) || failed(convert(function)))
      signalPassFailure();
  }

private:
  LogicalResult checkStream() {
    if (stream == "fixed")
      return success();
    StringRef drift = stream == "bf16"  ? "1.1e-2, 2.3e-2, 5.2e-2 and 1.3e-1"
                      : stream == "f32" ? "6.3e-7, 1.1e-6, 2.3e-6 and 4.7e-6"
                                        : "";
    InFlightDiagnostic error = getOperation()->emitError()
                               << "option 'stream' requires fixed, got '"
                               << stream.getValue() << "'";
    if (!drift.empty())
      error << ": the inverse of 12, 24, 48 and 96 layers is off by " << drift
            << " of the stream there, and by 0 in fixed point";
    return error;
  }

  LogicalResult convert(func::FuncOp function) {
    SmallVector<LayerOp> layers;
    walkOutsideKernels<LayerOp>(
        function, [&](LayerOp layer) { layers.push_back(layer); });
    if (layers.empty())
      return function.emitError("block-reversible requires a layer, "
                                "got none");
    // All or none, so that errors leave the function as it is.
    SmallVector<SerialForm> forms;
    Value before;
    for (LayerOp layer : layers) {
      FailureOr<SerialForm> form = match(layer, before);
      if (failed(form))
        return failure();
      forms.push_back(*form);
      before = layer.getResult(0);
    }
    Lanes lanes;
    for (auto [layer, form] : llvm::zip_equal(layers, forms))
      lanes = convert(layer, form, lanes);
    leave(layers.back(), lanes);
    for (LayerOp layer : layers)
      layer.erase();
    return success();
  }

  /// Returns the serial form of `layer`, which reads `before`, or any stream if
  /// that is null.
  static FailureOr<SerialForm> match(LayerOp layer, Value before) {
    std::variant<SerialForm, Reason> found = matchSerialForm(layer);
    auto refuse = [&](const Twine &why) {
      return layer.emitError()
             << "no reversible form of layer '" << layer.getLabel()
             << "': expected x + A(N x), then h + F(N h), got " << why;
    };
    auto *reason = std::get_if<Reason>(&found);
    if (reason && *reason == Reason::UnknownForm && layer.getNumResults() > 1)
      return refuse(Twine(layer.getNumResults()) +
                    " results: a layer with caches, or with others beside its "
                    "stream, has no such form");
    if (reason)
      return refuse(Twine(getReasonName(*reason)) + " (" +
                    getReasonMeaning(*reason) + ")");
    auto form = std::get<SerialForm>(found);
    for (ResidualOp residual : {form.first, form.second})
      if (!residual.getInputScale().isExactlyValue(1))
        return refuse("a scaled stream, which has no exact inverse");
    Value stream = form.first.getInput();
    if (before && stream != before)
      return refuse("another stream than the layer before it returns");
    // Lanes replace every reader of the stream between two layers.
    if (before && llvm::any_of(before.getUsers(), [&](Operation *user) {
          return !layer->isProperAncestor(user);
        }))
      return refuse("a stream that is read outside of the layer, too");
    return form;
  }

  /// Replaces `residual`, whose result is a stream of `lane`, and returns the
  /// lane behind it. Later readers get the lane's numbers.
  static Value addBranch(ResidualOp residual, Value lane) {
    OpBuilder builder(residual);
    Location loc = residual.getLoc();
    Value branch = residual.getBranches().front();
    if (double scale = residual.getBranchScale(0); scale != 1)
      branch =
          ScaleOp::create(builder, loc, branch.getType(), branch,
                          /*gain=*/Value(), builder.getF64FloatAttr(scale));
    Value sum = StreamAddOp::create(builder, loc, lane.getType(), branch, lane);
    residual.replaceAllUsesWith(
        StreamValueOp::create(builder, loc, residual.getType(), sum)
            .getResult());
    residual.erase();
    return sum;
  }

  /// Writes `layer` of two lanes in front of it, and returns those behind it.
  static Lanes convert(LayerOp layer, SerialForm &form, Lanes lanes) {
    OpBuilder builder(layer);
    Value stream = form.first.getInput();
    auto type = cast<RankedTensorType>(stream.getType());
    Type lane = type.clone(builder.getI32Type());
    if (!lanes[0])
      lanes[0] = lanes[1] = StreamAddOp::create(builder, layer.getLoc(), lane,
                                                stream, /*stream=*/Value());
    MLIRContext *context = layer.getContext();
    auto stamp = ApproxAttr::get(context, kReversible, "stream=fixed",
                                 StringAttr::get(context, "unmeasured"),
                                 layer.getApprox().value_or(ApproxAttr()));
    auto both = LayerOp::create(builder, layer.getLoc(), TypeRange{lane, lane},
                                layer.getLabelAttr(), layer.getIndexAttr(),
                                stamp, layer.getLogAttr());
    both.getBody().takeBody(layer.getBody());
    Block &body = both.getBody().front();
    builder.setInsertionPointToStart(&body);
    Value read = StreamValueOp::create(builder, layer.getLoc(), type, lanes[1]);
    stream.replaceUsesWithIf(read, [&](OpOperand &use) {
      return both->isProperAncestor(use.getOwner());
    });
    ResidualOp second = form.second;
    Value first = addBranch(form.first, lanes[0]);
    Value yielded[] = {first, addBranch(second, lanes[1])};
    body.getTerminator()->setOperands(yielded);
    eraseDeadOps(both->getRegions());
    recordPassed(both, kReversible, "two streams take a branch each");
    return {both.getResult(0), both.getResult(1)};
  }

  /// The function goes on with the mean of the lanes.
  static void leave(LayerOp last, Lanes lanes) {
    OpBuilder builder(last);
    Type type = last.getResult(0).getType();
    SmallVector<Value> values;
    for (Value lane : lanes)
      values.push_back(
          StreamValueOp::create(builder, last.getLoc(), type, lane));
    auto mean =
        ResidualOp::create(builder, last.getLoc(), type, values[0],
                           ValueRange(values[1]), builder.getF64FloatAttr(.5));
    mean.setBranchFactors({.5});
    last.getResult(0).replaceAllUsesWith(mean.getResult());
  }
};
} // namespace
