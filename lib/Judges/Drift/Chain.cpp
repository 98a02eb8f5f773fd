//===- Chain.cpp - a model as a chain of sublayers ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Chain.h"

#include "mlir/Transforms/RegionUtils.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "parablock/Transforms/SeparateRouters.h"
#include "parablock/Transforms/ShiftLayers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using parablock::block::isWeightOnly;

/// The operand of `op` that depends on the input of the model, where there is
/// exactly one.
static Value getOnlyActivation(Operation *op) {
  Value only;
  for (Value operand : op->getOperands()) {
    if (isWeightOnly(operand))
      continue;
    if (only)
      return {};
    only = operand;
  }
  return only;
}

/// The ops from `from` to `to`, each reading the one before it and weights;
/// none where they are anything else.
static std::optional<SmallVector<Operation *, 2>> findPath(Value from,
                                                           Value to) {
  SmallVector<Operation *, 2> path;
  while (to != from) {
    Operation *op = to.getDefiningOp();
    if (!isa_and_nonnull<block::NormOp, block::ScaleOp>(op))
      return std::nullopt;
    path.push_back(op);
    to = getOnlyActivation(op);
    if (!to)
      return std::nullopt;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// Returns the value before the tail of a branch.
static Value findResult(Value branch) {
  while (
      isa_and_nonnull<block::NormOp, block::ScaleOp>(branch.getDefiningOp())) {
    Value before = getOnlyActivation(branch.getDefiningOp());
    if (!before)
      break;
    branch = before;
  }
  return branch;
}

/// Tells whether `value` is an input, or what upstream ops make of inputs and
/// constants: a mask, a table of positions.
static bool isMadeOfInputs(Value value) {
  WalkResult sources = walkSources(value, [](Value source) -> WalkResult {
    Operation *op = source.getDefiningOp();
    return success(op ? !isa_and_nonnull<block::BlockDialect>(op->getDialect())
                      : !isWeightOnly(source));
  });
  return !sources.wasInterrupted();
}

static void addAttention(Sublayer &sublayer, block::AttentionOp op) {
  sublayer.inputs.push_back({"q", op.getQWeight(), op.getQBias()});
  sublayer.inputs.push_back({"k", op.getKWeight(), op.getKBias()});
  if (op.getVWeight())
    sublayer.inputs.push_back({"v", op.getVWeight(), op.getVBias()});
  sublayer.output = {"o", op.getOWeight(), op.getOBias()};
}

static void addMlp(Sublayer &sublayer, block::MlpOp op) {
  sublayer.inputs.push_back({"up", op.getUpWeight(), op.getUpBias()});
  if (op.getGateWeight())
    sublayer.inputs.push_back({"gate", op.getGateWeight(), op.getGateBias()});
  sublayer.output = {"down", op.getDownWeight(), op.getDownBias()};
}

/// Matches an attention or MLP op whose projections are known.
static bool matchOp(Sublayer &sublayer) {
  auto attention = dyn_cast<block::AttentionOp>(sublayer.op);
  auto mlp = dyn_cast<block::MlpOp>(sublayer.op);
  if ((!attention && !mlp) || (attention && attention.isCross()))
    return false;
  sublayer.input = sublayer.op->getOperand(0);
  auto head = findPath(sublayer.stream, sublayer.input);
  if (!head)
    return false;
  sublayer.head = std::move(*head);
  if (attention)
    addAttention(sublayer, attention);
  else
    addMlp(sublayer, mlp);

  SmallVector<Value> known = {sublayer.input, sublayer.output.weight,
                              sublayer.output.bias};
  for (const Projection &projection : sublayer.inputs)
    known.append({projection.weight, projection.bias});
  for (Value operand : sublayer.op->getOperands()) {
    if (llvm::is_contained(known, operand))
      continue;
    if (!isWeightOnly(operand) && !isMadeOfInputs(operand))
      return false;
    sublayer.others.push_back(operand);
  }
  return llvm::all_of(sublayer.inputs, [](const Projection &projection) {
    return isWeightOnly(projection.weight);
  });
}

namespace {
/// The ops of a layer that make a value from another one, operands first, and
/// what else they read.
class Steps {
public:
  Steps(block::LayerOp layer, Value from) : layer(layer) { known.insert(from); }

  /// Returns false if `value` depends on more than `from`, weights, and inputs.
  bool visit(Value value) {
    if (!known.insert(value).second)
      return true;
    bool isTensor = isa<RankedTensorType>(value.getType());
    if (isTensor && (isWeightOnly(value) || isMadeOfInputs(value))) {
      others.push_back(value);
      return true;
    }
    Operation *op = value.getDefiningOp();
    if (!op || (isTensor && op->getParentOp() != layer))
      return false;
    known.insert(op->result_begin(), op->result_end());
    if (!llvm::all_of(getReads(op), [&](Value read) { return visit(read); }))
      return false;
    ops.push_back(op);
    return true;
  }

  /// Returns the only op that reads `value`, if it is a norm or gain.
  Operation *findOnlyNorm(Value value) const {
    Operation *only = nullptr;
    for (Operation *op : ops) {
      if (!getReads(op).contains(value))
        continue;
      if (only)
        return nullptr;
      only = op;
    }
    return isa_and_nonnull<block::NormOp, block::ScaleOp>(only) &&
                   getOnlyActivation(only) == value
               ? only
               : nullptr;
  }

  SmallVector<Operation *, 0> ops;
  SmallVector<Value> others;

private:
  static SetVector<Value> getReads(Operation *op) {
    SetVector<Value> reads(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), reads);
    return reads;
  }

  block::LayerOp layer;
  DenseSet<Value> known;
};
} // namespace

/// Matches a branch of any ops between its norms.
static bool matchSteps(Sublayer &sublayer) {
  sublayer.features = sublayer.result;
  auto linear = dyn_cast<block::LinearOp>(sublayer.op);
  if (linear && isWeightOnly(linear.getWeight()) &&
      !isWeightOnly(linear.getInput())) {
    sublayer.output = {sublayer.isAttention() ? "o" : "down",
                       linear.getWeight(), linear.getBias()};
    sublayer.features = linear.getInput();
  }
  Steps all(sublayer.layer, sublayer.stream);
  if (!all.visit(sublayer.features))
    return false;
  sublayer.input = sublayer.stream;
  while (Operation *norm = all.findOnlyNorm(sublayer.input)) {
    sublayer.head.push_back(norm);
    sublayer.input = norm->getResult(0);
  }
  Steps inner(sublayer.layer, sublayer.input);
  if (!inner.visit(sublayer.features) || inner.ops.empty())
    return false;
  sublayer.steps = std::move(inner.ops);
  sublayer.others = std::move(inner.others);
  return true;
}

static std::optional<Sublayer> matchSublayer(block::LayerOp layer,
                                             block::ResidualOp residual,
                                             block::NormOp postNorm) {
  Sublayer sublayer;
  sublayer.layer = layer;
  sublayer.residual = residual;
  if (postNorm)
    sublayer.postNorm.push_back(postNorm);
  sublayer.stream = residual.getInput();
  sublayer.skipScale = residual.getInputScale().convertToDouble();
  sublayer.branchScale = residual.getBranchScale(0);
  Value branch = residual.getBranches().front();
  sublayer.kind = getBranchKind(branch);
  sublayer.result = findResult(branch);
  sublayer.op = sublayer.result.getDefiningOp();
  if (sublayer.kind == BranchKind::Other || !sublayer.op)
    return std::nullopt;
  auto tail = findPath(sublayer.result, branch);
  if (!tail)
    return std::nullopt;
  sublayer.tail = std::move(*tail);
  Sublayer other = sublayer;
  if (matchOp(sublayer))
    return sublayer;
  if (matchSteps(other))
    return other;
  return std::nullopt;
}

bool Sublayer::hasExperts() const {
  return llvm::any_of(steps, llvm::IsaPred<block::MoeOp, block::ExpertsOp>);
}

bool Sublayer::hasRouter() const {
  return llvm::any_of(steps, llvm::IsaPred<block::MoeOp, block::RouteOp>);
}

block::MoeOp Sublayer::getMixture() const {
  auto moe = steps.size() == 1 ? dyn_cast<block::MoeOp>(steps.front())
                               : block::MoeOp();
  if (!moe || moe.getInput() != input ||
      moe->getNumOperands() != others.size() + 1 ||
      !llvm::all_of(others, block::isWeightOnly))
    return {};
  return moe;
}

bool Sublayer::readsByRouter() const {
  return block::haveRouters(steps, input);
}

StringRef Sublayer::describe() const {
  if (steps.empty())
    return isAttention() ? "attention" : "MLP";
  if (isAttention())
    return "attention of several ops";
  return hasExperts() ? "experts" : "MLP of several ops";
}

/// The stream that a layer of unknown form reads: the only activation from
/// outside that is no argument, or else the only argument.
static Value findWholeInput(block::LayerOp layer) {
  llvm::SetVector<Value> outside;
  layer.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (type && type.getRank() == 3 && !isWeightOnly(operand) &&
          !layer.getBody().isAncestor(operand.getParentRegion()))
        outside.insert(operand);
    }
  });
  return outside.size() == 1 ? outside.front() : Value();
}

static llvm::Error addLayer(block::LayerOp layer, Chain &chain) {
  std::variant<SerialForm, Reason> form =
      matchSerialForm(layer, PostNorms::Accept);
  auto fail = [&](const Twine &why) {
    return llvm::createStringError("layer " + Twine(layer.getIndex()) + " ('" +
                                   layer.getLabel() + "'): " + why);
  };
  if (layer.getNumResults() != 1)
    return fail("expected one result, got " + Twine(layer.getNumResults()));
  if (!chain.links.empty() && chain.getLast().use_empty())
    return fail("expected every layer to be read by the next one");
  if (auto *serial = std::get_if<SerialForm>(&form)) {
    std::optional<Sublayer> first =
        matchSublayer(layer, serial->first, serial->firstNorm);
    std::optional<Sublayer> second =
        matchSublayer(layer, serial->second, serial->secondNorm);
    if (first && second) {
      if (!chain.links.empty() && first->stream != chain.getLast())
        return fail("expected it to read the layer before it");
      Link one, two;
      one.whole = two.whole = layer;
      one.input = first->stream;
      one.output = two.input = first->getResult();
      two.output = layer.getResult(0);
      one.sublayer = std::move(first);
      two.sublayer = std::move(second);
      chain.links.push_back(std::move(one));
      chain.links.push_back(std::move(two));
      return llvm::Error::success();
    }
  }
  Link link;
  link.whole = layer;
  if (Reason *reason = std::get_if<Reason>(&form))
    link.reason = *reason;
  link.input = findWholeInput(layer);
  link.output = layer.getResult(0);
  if (!link.input || (!chain.links.empty() && link.input != chain.getLast()))
    return fail("expected it to read the layer before it and nothing else");
  chain.links.push_back(std::move(link));
  return llvm::Error::success();
}

llvm::Expected<Chain> drift::buildChain(func::FuncOp function) {
  Chain chain;
  chain.function = function;
  for (block::LayerOp layer : function.getBody().getOps<block::LayerOp>())
    if (llvm::Error error = addLayer(layer, chain))
      return error;
  if (chain.links.empty())
    return llvm::createStringError("function '" + function.getName() +
                                   "' has no block.layer");
  return chain;
}

std::vector<Candidate> Chain::findCandidates() const {
  std::vector<Candidate> found;
  for (size_t i = 0; i + 1 < links.size(); ++i) {
    const std::optional<Sublayer> &first = links[i].sublayer;
    const std::optional<Sublayer> &second = links[i + 1].sublayer;
    if (!first || !second || first->isAttention() == second->isAttention())
      continue;
    LayerPair pair;
    pair.index = first->getLayerIndex();
    pair.shifted = !first->isAttention();
    bool isInOneLayer = first->layer == second->layer;
    if (!isInOneLayer && (!pair.shifted || block::findShiftObstacle(
                                               first->layer, second->layer)))
      continue;
    found.push_back({i, pair});
  }
  return found;
}
