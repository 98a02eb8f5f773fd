//===- Layers.cpp - which ops are one block -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Layers.h"

#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

/// The only user of a value, or null.
static Operation *getOnlyUser(Value value) {
  return value.hasOneUse() ? *value.user_begin() : nullptr;
}

/// The residual that takes `branch`, through norms and gains of its own.
static block::ResidualOp findResidual(Value branch) {
  while (Operation *user = getOnlyUser(branch)) {
    if (auto residual = dyn_cast<block::ResidualOp>(user))
      return residual;
    if (!isa<block::NormOp, block::ScaleOp, block::DropoutOp>(user))
      return {};
    branch = user->getResult(0);
  }
  return {};
}

/// A norm of the stream itself: it is all that reads the residual, and others
/// go on from it.
static block::NormOp findPostNorm(Value stream) {
  return dyn_cast_or_null<block::NormOp>(getOnlyUser(stream));
}

/// True where the layers of the function normalise their stream: a norm is all
/// that reads the residual of an attention whose layer goes on with an MLP.
static bool hasPostNorms(FunctionOpInterface function) {
  bool found = false;
  function.walk([&](block::AttentionOp attention) {
    block::ResidualOp residual = findResidual(attention.getResult());
    block::NormOp norm =
        residual ? findPostNorm(residual.getResult()) : block::NormOp();
    if (norm)
      for (Operation *user : norm.getResult().getUsers())
        if (auto next = dyn_cast<block::ResidualOp>(user))
          found |= next.getInput() == norm.getResult();
  });
  return found;
}

/// Where the layer of an MLP, or of experts, ends.
static Value findEnd(Operation *mlp, bool postNorms) {
  block::ResidualOp residual = findResidual(mlp->getResult(0));
  if (!residual)
    return {};
  Value end = residual.getResult();
  if (postNorms)
    if (block::NormOp norm = findPostNorm(end))
      end = norm.getResult();
  return end;
}

/// The value that the stream of a layer which ends at `end` starts from.
static Value findStart(Value end, const DenseSet<Value> &ends, bool postNorms) {
  Value value = end;
  while (true) {
    Operation *op = value.getDefiningOp();
    if (!op || (value != end && ends.contains(value)))
      return value;
    if (auto residual = dyn_cast<block::ResidualOp>(op)) {
      value = residual.getInput();
    } else if (auto norm = dyn_cast<block::NormOp>(op)) {
      // Between two residuals a norm is part of the stream.
      auto before = norm.getInput().getDefiningOp<block::ResidualOp>();
      if (!postNorms || !before)
        return value;
      value = norm.getInput();
    } else if (isa<block::AttentionOp, block::MlpOp, block::MoeOp,
                   block::ExpertsOp, block::ScaleOp>(op)) {
      // A layer without a skip: what it reads is where it starts.
      value = op->getOperand(0);
      if (auto norm = value.getDefiningOp<block::NormOp>())
        value = norm.getInput();
    } else {
      return value;
    }
  }
}

/// Up to and with the first number: "model.layers.0" of
/// "model.layers.0.mlp.up_proj.weight".
static StringRef getLayerPrefix(StringRef name) {
  size_t begin = 0;
  while (begin < name.size()) {
    size_t end = std::min(name.find('.', begin), name.size());
    StringRef part = name.substr(begin, end - begin);
    if (!part.empty() &&
        llvm::all_of(part, [](char c) { return llvm::isDigit(c); }))
      return name.substr(0, end);
    begin = end + 1;
  }
  return {};
}

/// Gives what most of the parameters that the ops read are named after.
static std::string getLabel(FunctionOpInterface function,
                            ArrayRef<Operation *> ops, int64_t index) {
  llvm::MapVector<StringRef, unsigned> votes;
  for (Operation *op : ops)
    for (Value operand : op->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (!argument || argument.getOwner()->getParentOp() != function)
        continue;
      auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        block::kParamAttr);
      if (name)
        if (StringRef prefix = getLayerPrefix(name.getValue()); !prefix.empty())
          ++votes[prefix];
    }
  StringRef best;
  for (auto &[prefix, count] : votes)
    if (best.empty() || count > votes[best])
      best = prefix;
  return best.empty() ? "layer." + std::to_string(index) : best.str();
}

/// Returns the ops that compute `end` from `start` and have no other reader.
static SetVector<Operation *> sliceLayer(Value start, Value end) {
  SetVector<Operation *> slice;
  SmallVector<Value> work = {end};
  Block *body = end.getParentBlock();
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (value == start || !op || op->getBlock() != body ||
        isa<block::LayerOp>(op) || !slice.insert(op))
      continue;
    op->walk([&](Operation *inner) {
      work.append(inner->operand_begin(), inner->operand_end());
    });
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (Operation *op : llvm::to_vector(slice)) {
      if (op == end.getDefiningOp())
        continue;
      bool isShared = llvm::any_of(op->getUsers(), [&](Operation *user) {
        return !slice.contains(body->findAncestorOpInBlock(*user));
      });
      if (isShared) {
        slice.remove(op);
        changed = true;
      }
    }
  }
  return slice;
}

static block::LayerOp formLayer(FunctionOpInterface function, Value start,
                                Value end, int64_t index) {
  SetVector<Operation *> slice = sliceLayer(start, end);
  SmallVector<Operation *> ops;
  for (Operation &op : *end.getParentBlock())
    if (slice.contains(&op))
      ops.push_back(&op);
  OpBuilder builder(end.getDefiningOp());
  builder.setInsertionPointAfter(end.getDefiningOp());
  SmallVector<Location> locations =
      llvm::map_to_vector(ops, [](Operation *op) { return op->getLoc(); });
  auto layer = block::LayerOp::create(
      builder, FusedLoc::get(function.getContext(), locations),
      TypeRange(end.getType()), getLabel(function, ops, index), index,
      /*approx=*/nullptr, /*log=*/nullptr);
  Block *body = builder.createBlock(&layer.getBody());
  end.replaceAllUsesWith(layer->getResult(0));
  for (Operation *op : ops)
    op->moveBefore(body, body->end());
  builder.setInsertionPointToEnd(body);
  block::YieldOp::create(builder, layer.getLoc(), end);
  return layer;
}

SmallVector<block::LayerOp>
parablock::raise::formLayers(FunctionOpInterface function) {
  bool postNorms = hasPostNorms(function);
  SmallVector<std::pair<Value, Value>> spans;
  DenseSet<Value> ends;
  for (Operation &op : function.getFunctionBody().front())
    if (isa<block::MlpOp, block::MoeOp, block::ExpertsOp>(op))
      if (Value end = findEnd(&op, postNorms); end && ends.insert(end).second)
        spans.emplace_back(Value(), end);
  for (auto &[start, end] : spans)
    start = findStart(end, ends, postNorms);
  SmallVector<block::LayerOp> layers;
  Value previousEnd;
  for (auto [start, end] : spans) {
    // The end of the layer before is that layer's result by now.
    if (start == previousEnd && !layers.empty())
      start = layers.back()->getResult(0);
    previousEnd = end;
    layers.push_back(formLayer(function, start, end, layers.size()));
  }
  return layers;
}

LogicalResult parablock::raise::stampNear(FunctionOpInterface function,
                                          StringRef pass,
                                          StringRef parameters) {
  MLIRContext *context = function.getContext();
  WalkResult walked = function.walk([&](block::MlpOp mlp) {
    auto near = mlp->getAttrOfType<FloatAttr>(kNearAttr);
    if (!near)
      return WalkResult::advance();
    auto layer = mlp->getParentOfType<block::LayerOp>();
    if (!layer) {
      mlp.emitError("expected an MLP within a layer, which is stamped, for an "
                    "activation that is off by ")
          << near.getValueAsDouble();
      return WalkResult::interrupt();
    }
    mlp->removeAttr(kNearAttr);
    layer.setApproxAttr(block::ApproxAttr::get(
        context, pass, parameters,
        block::getReal(context, near.getValueAsDouble()),
        layer.getApprox().value_or(block::ApproxAttr())));
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}
