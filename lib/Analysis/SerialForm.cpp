//===- SerialForm.cpp - matches serial residuals of a layer ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/SerialForm.h"
#include "mlir/Transforms/RegionUtils.h"
#include "parablock/Analysis/Dataflow.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// The stream comes into the layer from outside it.
static bool isLayerInput(Value value, LayerOp layer) {
  return !layer.getBody().isAncestor(value.getParentRegion());
}

DenseSet<Operation *> parablock::findBesideRouters(Value branch, Value stream) {
  DenseSet<Operation *> found;
  SmallVector<Value> work = {branch};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (value == stream || !op || op->getBlock() != stream.getParentBlock() ||
        !found.insert(op).second)
      continue;
    SetVector<Value> reads(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), reads);
    if (auto experts = dyn_cast<ExpertsOp>(op)) {
      reads.remove(experts.getIndices());
      reads.remove(experts.getWeights());
    }
    llvm::append_range(work, reads);
  }
  return found;
}

/// Returns the norm that makes `value` of a sum that nothing else reads; null
/// for any other value.
static NormOp findPostNorm(Value value) {
  auto norm = value.getDefiningOp<NormOp>();
  if (!norm || !norm.getInput().hasOneUse() ||
      !norm.getInput().getDefiningOp<ResidualOp>())
    return {};
  return norm;
}

/// Matches `h = norm(x + a); y = norm(h + m)`, where `second` is the norm that
/// makes y.
static std::variant<SerialForm, Reason> matchPostNorms(LayerOp layer,
                                                       NormOp second) {
  SerialForm form;
  form.secondNorm = second;
  form.second = second.getInput().getDefiningOp<ResidualOp>();
  if (isLayerInput(form.second.getInput(), layer))
    return form.second.getBranches().size() >= 2 ? Reason::AlreadyParallel
                                                 : Reason::UnknownForm;
  form.firstNorm = findPostNorm(form.second.getInput());
  if (!form.firstNorm)
    return Reason::PostLayerNorm;
  form.first = form.firstNorm.getInput().getDefiningOp<ResidualOp>();
  if (!isLayerInput(form.first.getInput(), layer))
    return findPostNorm(form.first.getInput()) ? Reason::ThreeSublayers
                                               : Reason::PostLayerNorm;
  if (form.first.getBranches().size() != 1 ||
      form.second.getBranches().size() != 1 ||
      layer.getBody().front().getTerminator()->getNumOperands() != 1)
    return Reason::UnknownForm;
  for (OpOperand &use : form.getMiddle().getUses()) {
    if (use.getOwner() == form.second && use.getOperandNumber() == 0)
      continue;
    if (use.getOwner()->getParentOp() != layer || use.getOwner() == form.second)
      return Reason::SecondUser;
    form.reads.push_back(&use);
  }
  if (form.reads.empty())
    return Reason::AlreadyParallel;
  return form;
}

std::variant<SerialForm, Reason>
parablock::matchSerialForm(LayerOp layer, PostNorms postNorms) {
  auto yield = cast<YieldOp>(layer.getBody().front().getTerminator());
  if (yield.getNumOperands() == 0)
    return Reason::UnknownForm;
  Value result = yield.getOperand(0);
  if (NormOp norm = findPostNorm(result);
      norm && postNorms == PostNorms::Accept)
    return matchPostNorms(layer, norm);
  if (result.getDefiningOp<NormOp>())
    return Reason::PostLayerNorm;
  auto second = result.getDefiningOp<ResidualOp>();
  if (!second)
    return Reason::UnknownForm;
  Value stream = second.getInput();
  if (isLayerInput(stream, layer))
    return second.getBranches().size() >= 2 ? Reason::AlreadyParallel
                                            : Reason::UnknownForm;
  if (stream.getDefiningOp<NormOp>())
    return Reason::PostLayerNorm;
  auto first = stream.getDefiningOp<ResidualOp>();
  if (!first)
    return Reason::UnknownForm;
  if (!isLayerInput(first.getInput(), layer))
    return first.getInput().getDefiningOp<ResidualOp>() ? Reason::ThreeSublayers
                                                        : Reason::PostLayerNorm;
  // A rung of a ladder, or the layer below one, yields the sum between its
  // branches, too.
  bool isYielded =
      yield.getNumOperands() == 2 && yield.getOperand(1) == first.getResult();
  if (yield.getNumOperands() != 1 && !isYielded)
    return Reason::UnknownForm;
  // Routed experts beside an attention that reads shared ones.
  if (first.getBranches().size() == 1 && second.getBranches().size() == 2 &&
      getBranchKind(second.getBranches()[0]) == BranchKind::Mlp &&
      getBranchKind(second.getBranches()[1]) == BranchKind::Attention)
    return Reason::AlreadyParallel;
  if (first.getBranches().size() != 1 || second.getBranches().size() != 1)
    return Reason::UnknownForm;
  SerialForm form;
  form.first = first;
  form.second = second;
  for (OpOperand &use : first.getResult().getUses()) {
    if (use.getOwner() == yield ||
        (use.getOwner() == second && use.getOperandNumber() == 0))
      continue;
    if (use.getOwner()->getParentOp() != layer || use.getOwner() == second)
      return Reason::SecondUser;
    form.reads.push_back(&use);
  }
  // A router alone may read the stream between the branches.
  DenseSet<Operation *> beside =
      findBesideRouters(second.getBranches().front(), first.getResult());
  if (llvm::none_of(form.reads, [&](OpOperand *read) {
        return beside.contains(read->getOwner());
      }))
    return Reason::AlreadyParallel;
  if (isYielded)
    return Reason::SecondUser;
  return form;
}

/// Experts, or the sum of theirs and the shared one's.
static bool isExperts(Operation *op) {
  if (isa<ResidualOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<ExpertsOp>(op);
}

BranchKind parablock::getBranchKind(Value branch) {
  for (Operation *op = branch.getDefiningOp(); op && op->getNumOperands();
       op = op->getOperand(0).getDefiningOp()) {
    ModelPart part =
        isComposite(op) || isAttentionCore(op) ? getPart(op) : ModelPart::Other;
    if (part == ModelPart::Attention)
      return BranchKind::Attention;
    if (part == ModelPart::Mlp || isExperts(op))
      return BranchKind::Mlp;
    if (isa<LayerOp, ResidualOp>(op))
      break;
  }
  return BranchKind::Other;
}

/// Returns the residuals whose sums are the stream, from the first on: keys of
/// latent attention are a sum, too.
static SmallVector<ResidualOp> findStream(LayerOp layer) {
  SmallVector<ResidualOp> stream;
  Operation *yield = layer.getBody().front().getTerminator();
  Operation *op =
      yield->getNumOperands() ? yield->getOperand(0).getDefiningOp() : nullptr;
  for (; isa_and_nonnull<ResidualOp, NormOp>(op) && op->getParentOp() == layer;
       op = op->getOperand(0).getDefiningOp())
    if (auto residual = dyn_cast<ResidualOp>(op))
      stream.insert(stream.begin(), residual);
  return stream;
}

LayerPair parablock::getLayerPair(LayerOp layer) {
  SmallVector<BranchKind> kinds;
  for (ResidualOp residual : findStream(layer))
    for (Value branch : residual.getBranches())
      kinds.push_back(getBranchKind(branch));
  // Shared experts have a sum of their own in a shortcut.
  if (kinds.size() == 3 && kinds[0] == BranchKind::Other)
    kinds.erase(kinds.begin());
  LayerPair pair;
  pair.index = static_cast<int64_t>(layer.getIndex());
  pair.shifted = kinds.size() == 2 && kinds[0] == BranchKind::Mlp &&
                 kinds[1] == BranchKind::Attention;
  return pair;
}
