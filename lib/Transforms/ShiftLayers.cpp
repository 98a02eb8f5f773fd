//===- ShiftLayers.cpp - cuts and joins layers ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A serial layer is cut after its first branch, and the second half of one
// layer is joined with the first half of the next.
//
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/ShiftLayers.h"

#include "mlir/IR/IRMapping.h"
#include "parablock/Analysis/KeptStamps.h"
#include "parablock/Analysis/SerialForm.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

using OpSet = DenseSet<Operation *>;

/// The ops of the layer that the stream between the branches is made of.
static OpSet findFirstHalf(const SerialForm &form) {
  OpSet half;
  SmallVector<Operation *> work = {form.getMiddleOp()};
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!half.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == op->getBlock())
        work.push_back(producer);
  }
  return half;
}

/// The second half reads nothing of the first one but its result and weights.
static bool canCut(const SerialForm &form, const OpSet &firstHalf) {
  for (Operation &op : *form.first->getBlock()) {
    if (firstHalf.contains(&op))
      continue;
    for (Value operand : op.getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && producer != form.getMiddleOp() &&
          firstHalf.contains(producer) && !isWeightOnly(operand))
        return false;
    }
  }
  return true;
}

static bool isAttentionThenMlp(SerialForm &form) {
  return getBranchKind(form.first.getBranches().front()) ==
             BranchKind::Attention &&
         getBranchKind(form.second.getBranches().front()) == BranchKind::Mlp;
}

std::optional<Reason> block::findShiftObstacle(LayerOp layer, LayerOp next) {
  SmallVector<SerialForm, 2> forms;
  for (LayerOp each : {layer, next}) {
    std::variant<SerialForm, Reason> form =
        matchSerialForm(each, PostNorms::Accept);
    if (auto *reason = std::get_if<Reason>(&form))
      return *reason;
    forms.push_back(std::get<SerialForm>(form));
    if (!isAttentionThenMlp(forms.back()))
      return Reason::UnknownForm;
  }
  if (forms[0].hasPostNorms() != forms[1].hasPostNorms())
    return Reason::MixedNorms;
  Value stream = layer.getResult(0);
  if (forms[1].first.getInput() != stream)
    return Reason::NotConsecutive;
  OpSet nextHalf = findFirstHalf(forms[1]);
  for (Operation *user : stream.getUsers()) {
    Operation *op = next.getBody().front().findAncestorOpInBlock(*user);
    if (!op || !nextHalf.contains(op))
      return Reason::SecondUser;
  }
  if (!canCut(forms[0], findFirstHalf(forms[0])) || !canCut(forms[1], nextHalf))
    return Reason::SecondUser;
  return std::nullopt;
}

/// Copies weight-only inputs of `op` from `firstHalf` before it.
static void copySharedWeights(Operation *op, const OpSet &firstHalf,
                              Operation *result, IRMapping &copies) {
  SetVector<Operation *> ordered;
  auto collect = [&](auto &&self, Operation *reader) -> void {
    for (Value operand : reader->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && producer != result && firstHalf.contains(producer) &&
          !copies.contains(operand)) {
        self(self, producer);
        ordered.insert(producer);
      }
    }
  };
  collect(collect, op);
  OpBuilder builder(op);
  for (Operation *producer : ordered)
    builder.clone(*producer, copies);
  for (OpOperand &operand : op->getOpOperands())
    operand.set(copies.lookupOrDefault(operand.get()));
}

/// Cuts a serial layer after its first branch; returns the layer of the second
/// half, which follows it.
static LayerOp cutLayer(LayerOp layer) {
  SerialForm form =
      std::get<SerialForm>(matchSerialForm(layer, PostNorms::Accept));
  OpSet firstHalf = findFirstHalf(form);
  auto yield = cast<YieldOp>(layer.getBody().front().getTerminator());
  Value stream = form.getMiddle();

  OpBuilder builder(layer.getContext());
  builder.setInsertionPointAfter(layer);
  auto rest = LayerOp::create(builder, layer.getLoc(), layer.getResultTypes(),
                              layer.getLabelAttr(), layer.getIndexAttr(),
                              layer.getApproxAttr(), ArrayAttr());
  mlir::Block &body = rest.getBody().emplaceBlock();
  layer.getResult(0).replaceAllUsesWith(rest.getResult(0));
  builder.setInsertionPointToEnd(&body);
  auto end = YieldOp::create(builder, yield.getLoc(), yield.getValues());

  IRMapping copies;
  for (Operation &op :
       llvm::make_early_inc_range(layer.getBody().front().without_terminator()))
    if (!firstHalf.contains(&op)) {
      op.moveBefore(end);
      copySharedWeights(&op, firstHalf, form.getMiddleOp(), copies);
    }
  yield->setOperand(0, stream);
  stream.replaceUsesWithIf(layer.getResult(0), [&](OpOperand &use) {
    return rest->isProperAncestor(use.getOwner());
  });
  return rest;
}

/// Moves the ops of `first` into `second`, its only reader, which replaces it
/// in the chain.
static void joinLayers(LayerOp first, LayerOp second) {
  mlir::Block &from = first.getBody().front(), &to = second.getBody().front();
  Operation *yield = from.getTerminator();
  first.getResult(0).replaceAllUsesWith(yield->getOperand(0));
  yield->erase();
  to.getOperations().splice(to.begin(), from.getOperations());

  MLIRContext *context = first.getContext();
  second.setLabel((first.getLabel() + "+").str());
  second.setIndexAttr(first.getIndexAttr());
  if (ApproxAttr stamp =
          joinStamps(first.getApproxAttr(), second.getApproxAttr()))
    second.setApproxAttr(stamp);
  second->setLoc(FusedLoc::get(context, {first.getLoc(), second.getLoc()}));
  first.erase();
}

size_t block::shiftLayers(Operation *root, ArrayRef<LayerPair> pairs,
                          StringRef pass) {
  SmallVector<LayerOp> layers;
  walkOutsideKernels<LayerOp>(root,
                              [&](LayerOp layer) { layers.push_back(layer); });
  // Eligibility is decided before any move: cut layers no longer
  // match.
  SmallVector<bool> cut(layers.size() + 1), formed(layers.size());
  size_t count = 0;
  for (auto [i, layer] : llvm::enumerate(layers)) {
    LayerPair name = getLayerPair(layer);
    if (name.shifted) {
      count += llvm::is_contained(pairs, name);
      continue;
    }
    LayerPair pair{name.index, /*shifted=*/true};
    if (i + 1 == layers.size() || !llvm::is_contained(pairs, pair) ||
        !(getLayerPair(layers[i + 1]) == LayerPair{name.index + 1, false}))
      continue;
    if (std::optional<Reason> reason =
            findShiftObstacle(layer, layers[i + 1])) {
      auto record =
          *reason == Reason::AlreadyParallel ? remarkMissed : recordMissed;
      record(layer, pass, *reason, getReasonMeaning(*reason), {});
      continue;
    }
    formed[i] = cut[i] = cut[i + 1] = true;
    ++count;
  }
  SmallVector<LayerOp> rests(layers.size());
  for (auto [i, layer] : llvm::enumerate(layers))
    if (cut[i])
      rests[i] = cutLayer(layer);
  for (auto [i, layer] : llvm::enumerate(layers))
    if (formed[i]) {
      joinLayers(rests[i], layers[i + 1]);
      recordPassed(layers[i + 1], "block-shift",
                   "the MLP of one layer shares a layer with the next "
                   "attention");
    }
  return count;
}
