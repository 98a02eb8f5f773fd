//===- LowerToUpstream.cpp - levels 2 and 3 to 0 -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LowerToUpstream.h"

#include "parablock/Analysis/KeptStamps.h"
#include "parablock/Dialect/Block/DissolveKernels.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;

static FailureOr<Values> emitStep(Operation *op, TensorEmitter &emit) {
  using Result = FailureOr<Values>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](block::ActivationOp op) { return emitActivation(op, emit); })
      .Case([&](block::AddBiasOp op) { return emitAddBias(op, emit); })
      .Case([&](block::ClampOp op) { return emitClamp(op, emit); })
      .Case(
          [&](block::DeferredNormOp op) { return emitDeferredNorm(op, emit); })
      .Case([&](block::EmbeddingOp op) { return emitEmbedding(op, emit); })
      .Case([&](block::GateOp op) { return emitGate(op, emit); })
      .Case([&](block::HeadOp op) { return emitHead(op, emit); })
      .Case([&](block::LinearOp op) { return emitLinear(op, emit); })
      .Case([&](block::LinearSumOp op) { return emitLinearSum(op, emit); })
      .Case([&](block::NormStatsOp op) { return emitNormStats(op, emit); })
      .Case([&](block::NormalizeOp op) { return emitNormalize(op, emit); })
      .Case([&](block::PatchEmbeddingOp op) {
        return emitPatchEmbedding(op, emit);
      })
      .Case([&](block::ResidualOp op) { return emitResidual(op, emit); })
      .Case([&](block::RopeOp op) { return emitRope(op, emit); })
      .Case([&](block::RotateOp op) -> Result { return emitRotate(op, emit); })
      .Case([&](block::ScaleOp op) { return emitScale(op, emit); })
      .Case([&](block::SdpaOp op) { return emitSdpa(op, emit); })
      .Case([&](block::SplitOp op) { return emitSplit(op, emit); })
      .Case([&](block::UnpackWeightOp op) -> Result {
        return op.emitOpError("expected a weight of numbers: codes have no "
                              "form in upstream ops");
      })
      .Case<block::GroupScalesOp, block::EncodeGroupsOp, block::DecodeGroupsOp>(
          [&](auto op) -> Result {
            return op.emitOpError("expected rows of numbers: codes have no "
                                  "form in upstream ops");
          })
      .Case([&](block::WeightOpInterface op) { return emitWeights(op, emit); })
      .Default([](Operation *op) -> Result {
        auto step = dyn_cast<block::StepOpInterface>(op);
        if (step && step.getStepKind() == block::StepKind::Outside)
          return op->emitOpError("has no form in upstream ops");
        return op->emitOpError("expected an op of level 2, as block-expand "
                               "makes it");
      });
}

/// A layer's body takes its place.
static void inlineLayer(block::LayerOp layer) {
  Block &body = layer.getBody().front();
  Operation *yield = body.getTerminator();
  layer->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  layer->getBlock()->getOperations().splice(layer->getIterator(),
                                            body.getOperations());
  layer.erase();
}

/// True where only the dialect can read `attribute`, or a part of it.
static bool isOwn(Attribute attribute) {
  return attribute
      .walk([](Attribute part) {
        return isa_and_nonnull<block::BlockDialect>(&part.getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void parablock::dropOwnAttributes(ModuleOp module) {
  module.walk([](FunctionOpInterface function) {
    for (NamedAttribute each : llvm::to_vector(function->getDiscardableAttrs()))
      if (isOwn(each.getValue()))
        function->removeDiscardableAttr(each.getName());
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (NamedAttribute each : llvm::to_vector(function.getArgAttrs(i)))
        if (isOwn(each.getValue()))
          function.removeArgAttr(i, each.getName());
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      for (NamedAttribute each : llvm::to_vector(function.getResultAttrs(i)))
        if (isOwn(each.getValue()))
          function.removeResultAttr(i, each.getName());
  });
}

LogicalResult parablock::lowerToUpstream(
    ModuleOp module, StringRef pass, EmitterFactory makeEmitter,
    llvm::function_ref<std::optional<Value>(Operation *, TensorEmitter &)>
        emitShape) {
  block::dissolveKernels(module);
  WalkResult kept = module.walk([&](FunctionOpInterface function) {
    return failed(keepStamps(function, pass)) ? WalkResult::interrupt()
                                              : WalkResult::advance();
  });
  if (kept.wasInterrupted())
    return failure();
  SmallVector<block::LayerOp> layers;
  module.walk([&](block::LayerOp layer) { layers.push_back(layer); });
  llvm::for_each(layers, inlineLayer);

  SmallVector<Operation *> steps;
  module.walk([&](Operation *op) { steps.push_back(op); });
  for (Operation *op : steps) {
    OpBuilder builder(op);
    std::unique_ptr<TensorEmitter> emit = makeEmitter(builder, op->getLoc());
    Values results;
    if (isa_and_present<block::BlockDialect>(op->getDialect())) {
      FailureOr<Values> emitted = emitStep(op, *emit);
      if (failed(emitted))
        return failure();
      results = std::move(*emitted);
    } else if (std::optional<Value> moved =
                   emitShape ? emitShape(op, *emit) : std::nullopt) {
      results = {*moved};
    } else {
      continue;
    }
    op->replaceAllUsesWith(results);
    op->erase();
  }
  return success();
}
