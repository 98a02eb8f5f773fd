//===- ModelCounts.cpp - surveys a function and sums its counts -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/ModelCounts.h"

#include "StepCounter.h"
#include "parablock/Analysis/GradientLaunches.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

StepCounts &StepCounts::operator+=(const StepCounts &other) {
  attentionFlops += other.attentionFlops;
  scoreFlops += other.scoreFlops;
  mlpFlops += other.mlpFlops;
  otherFlops += other.otherFlops;
  bytes += other.bytes;
  gemms += other.gemms;
  launches += other.launches;
  norms += other.norms;
  return *this;
}

double ModelCounts::getFlopsPerToken() const {
  double tokens =
      static_cast<double>(sizes.batch) * static_cast<double>(sizes.sequence);
  return tokens > 0 ? steps.getFlops() / tokens : 0;
}

//===----------------------------------------------------------------------===//
// Sizes and level
//===----------------------------------------------------------------------===//

/// Sequence length for a model without a maximum length.
static constexpr int64_t kAssumedSequence = 2048;

namespace {
/// The findings of one walk over a function.
struct Survey {
  SmallVector<LayerOp> layers;
  EmbeddingOp embedding;
  bool hasKernels = false, hasLevel1 = false;
  bool hasGradients = false, hasOtherSteps = false;

  /// Gradients that are launches need no kernel of level 3, so a function of
  /// these alone is in launches.
  bool isInLaunches() const {
    return hasKernels || (hasGradients && !hasOtherSteps && !hasLevel1);
  }
};
} // namespace

static Survey survey(FunctionOpInterface function) {
  Survey found;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto layer = dyn_cast<LayerOp>(op))
      found.layers.push_back(layer);
    else if (auto embedding = dyn_cast<EmbeddingOp>(op))
      found.embedding = embedding;
    found.hasKernels |= isa<KernelOp>(op);
    found.hasLevel1 |= isComposite(op);
    if (isGradientLaunch(op))
      found.hasGradients = true;
    else if (auto step = dyn_cast<StepOpInterface>(op))
      found.hasOtherSteps |=
          step.movesRows() && step.getStepKind() != StepKind::Weights;
  });
  return found;
}

/// Returns the type of the last layer's result that is not a gradient, or of
/// the first result, or null.
static RankedTensorType findStream(FunctionOpInterface function,
                                   const Survey &found) {
  Type stream;
  LayerOp last;
  for (LayerOp layer : found.layers)
    if (!layer.getBackward())
      last = layer;
  if (last && last.getNumResults())
    stream = last.getResult(0).getType();
  else if (function.getNumResults())
    stream = function.getResultTypes().front();
  auto type = dyn_cast_or_null<RankedTensorType>(stream);
  return type && type.getRank() >= 2 ? type : RankedTensorType();
}

static CountedSizes findSizes(RankedTensorType type, EmbeddingOp embedding) {
  CountedSizes sizes{type.getDimSize(0), type.getDimSize(1), false};
  if (ShapedType::isDynamic(sizes.batch)) {
    sizes.batch = 1;
    sizes.assumed = true;
  }
  if (ShapedType::isDynamic(sizes.sequence)) {
    sizes.sequence = kAssumedSequence;
    sizes.assumed = true;
    Value positions = embedding ? embedding.getPositionTable() : Value();
    if (positions)
      sizes.sequence = std::max<int64_t>(
          1, getDim(positions, 0) -
                 static_cast<int64_t>(embedding.getPositionOffset()));
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Attention against MLP
//===----------------------------------------------------------------------===//

namespace {
/// FLOPs per token at any sequence length.
struct FlopsByLength {
  double projections, mlp;
  std::vector<ScoreWork> scores;

  bool attentionPassesMlp(int64_t sequence) const {
    double attention = projections;
    for (const ScoreWork &work : scores)
      attention += work.countFlops(/*batch=*/1, sequence, sequence) / sequence;
    return attention > mlp;
  }
};
} // namespace

static std::optional<int64_t>
findLengthWhereAttentionPasses(const FlopsByLength &flops) {
  // Scores per token grow with the length, so halving finds the first one.
  int64_t first = 1, last = int64_t(1) << 40;
  if (flops.mlp <= 0 || !flops.attentionPassesMlp(last))
    return std::nullopt;
  while (first < last) {
    int64_t middle = first + (last - first) / 2;
    if (flops.attentionPassesMlp(middle))
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

CountedSizes parablock::findCountedSizes(FunctionOpInterface function) {
  Survey found = survey(function);
  RankedTensorType stream = findStream(function, found);
  return stream ? findSizes(stream, found.embedding) : CountedSizes();
}

FailureOr<ModelCounts> parablock::countModel(FunctionOpInterface function) {
  FailureOr<FunctionParameters> parameters = countParameters(function);
  if (failed(parameters))
    return failure();
  Survey found = survey(function);

  ModelCounts model;
  model.level = found.isInLaunches() ? 3 : found.hasLevel1 ? 1 : 2;
  if (RankedTensorType stream = findStream(function, found)) {
    model.sizes = findSizes(stream, found.embedding);
    if (stream.getElementType().isIntOrFloat())
      model.elementBits = stream.getElementTypeBitWidth();
  }
  model.parameters = parameters->all;
  model.coreParameters = model.parameters.total - model.parameters.positions -
                         model.parameters.biases - parameters->outerNorms;

  StepCounter outside(model.sizes, found.isInLaunches());
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<LayerOp>(op))
      return WalkResult::skip();
    outside.visit(op);
    return WalkResult::advance();
  });
  model.steps += outside.counts;
  model.leftovers = countLeftovers(
      function, [&](Value value) { return outside.countBytes(value); });
  std::vector<ScoreWork> scores = outside.scores;
  for (LayerOp layer : found.layers) {
    StepCounter inside(model.sizes, found.isInLaunches());
    layer.getBody().walk([&](Operation *op) { inside.visit(op); });
    model.steps += inside.counts;
    scores.insert(scores.end(), inside.scores.begin(), inside.scores.end());
    model.layers.push_back(
        {layer, describeForm(layer), parameters->layers.lookup(layer),
         inside.counts,
         model.level == 1 ? inside.counts : countUnfused(layer, model.sizes)});
  }
  double tokens = static_cast<double>(model.sizes.batch) *
                  static_cast<double>(model.sizes.sequence);
  const StepCounts &steps = model.steps;
  if (tokens > 0)
    model.attentionPassesMlp = findLengthWhereAttentionPasses(
        {(steps.attentionFlops - steps.scoreFlops) / tokens,
         steps.mlpFlops / tokens, std::move(scores)});
  return model;
}
