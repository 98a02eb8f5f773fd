//===- EvalExpertsGrad.cpp - gradients of routers and experts -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Experts.h"
#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Judges/Reference/Matmul.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

//===----------------------------------------------------------------------===//
// Routers
//===----------------------------------------------------------------------===//

namespace {
/// The gradient of one row.
class RouteGradient {
public:
  RouteGradient(block::RoutingAttr form, Row logits,
                std::vector<int64_t> chosen)
      : form(form), logits(std::move(logits)), chosen(std::move(chosen)),
        scores(computeScores(form.getScore(), this->logits)),
        own(computeChosenWeights(form, this->logits, scores, this->chosen)) {}

  /// `factors` are those of step 6.
  Row byLogits(llvm::ArrayRef<double> gradient, const Row &factors) const;
  /// The weight in a slot without the expert's own scale.
  double getWeight(size_t slot) const {
    return own.weights[slot] / own.divisor * form.getWeightScaleValue();
  }

private:
  Row byScores(const Row &byWeights) const;

  block::RoutingAttr form;
  Row logits;
  std::vector<int64_t> chosen;
  Row scores;
  ChosenWeights own;
};
} // namespace

/// The gradient by logits where weights are scores of all experts.
Row RouteGradient::byScores(const Row &byWeights) const {
  Row byScore(logits.size()), result(logits.size());
  double dot = 0;
  for (auto [e, value] : llvm::zip_equal(chosen, byWeights)) {
    byScore[e] += value;
    dot += value * scores[e];
  }
  for (size_t e = 0; e < logits.size(); ++e) {
    double score = scores[e];
    switch (form.getScore()) {
    case block::RouterScore::Softmax:
      result[e] = score * (byScore[e] - dot);
      break;
    case block::RouterScore::Sigmoid:
      result[e] = byScore[e] * score * (1 - score);
      break;
    case block::RouterScore::RootSoftplus:
      result[e] =
          byScore[e] == 0 ? 0 : byScore[e] * sigmoid(logits[e]) / (2 * score);
      break;
    case block::RouterScore::Logit:
      result[e] = byScore[e];
      break;
    }
  }
  return result;
}

Row RouteGradient::byLogits(llvm::ArrayRef<double> gradient,
                            const Row &factors) const {
  const auto &[weights, divisor, divisorMoves] = own;
  double mean = 0;
  for (size_t s = 0; s < chosen.size() && divisorMoves; ++s)
    mean += gradient[s] * factors[s] * weights[s] / divisor;
  Row byWeights;
  for (size_t s = 0; s < chosen.size(); ++s)
    byWeights.push_back((gradient[s] * factors[s] - mean) / divisor);
  Row result(logits.size());
  double dot = 0;
  for (auto [weight, value] : llvm::zip_equal(weights, byWeights))
    dot += weight * value;
  switch (form.getWeight()) {
  case block::RouterWeight::Score:
    result = byScores(byWeights);
    break;
  case block::RouterWeight::Softmax:
    for (size_t s = 0; s < chosen.size(); ++s)
      result[chosen[s]] += weights[s] * (byWeights[s] - dot);
    break;
  case block::RouterWeight::Sigmoid:
    for (size_t s = 0; s < chosen.size(); ++s)
      result[chosen[s]] += byWeights[s] * weights[s] * (1 - weights[s]);
    break;
  }
  for (double &value : result)
    value *= form.getLogitScaleValue();
  return result;
}

static FailureOr<Tensors> evalRouteGrad(block::RouteGradOp op, Evaluation &at) {
  const Tensor &gradient = at.get(op.getGradient()),
               &logits = at.get(op.getLogits()),
               &indices = at.get(op.getIndices()),
               *scale = at.getOptional(op.getExpertScale());
  if (failed(at.checkSameShape("indices", indices, "gradient", gradient)))
    return failure();
  for (unsigned dim : {0, 1})
    if (failed(at.checkSize("indices", indices, dim, logits.shape[dim],
                            "rows of the logits")))
      return failure();
  block::RoutingAttr form = op.getForm();
  int64_t experts = logits.shape.back(), slots = form.getChosen();
  FailureOr<std::vector<double>> byLogits = at.allocate(logits.shape);
  if (failed(byLogits))
    return failure();
  std::vector<double> byScale(experts);
  for (int64_t row = 0,
               rows = static_cast<int64_t>(indices.data().size()) / slots;
       row < rows; ++row) {
    Row own(logits.data().slice(row * experts, experts));
    for (double &logit : own)
      logit *= form.getLogitScaleValue();
    std::vector<int64_t> chosen;
    Row factors;
    for (int64_t s = 0; s < slots; ++s) {
      double index = indices.data()[row * slots + s];
      if (!(index >= 0 && index < static_cast<double>(experts)))
        return at.error() << "expected indices to be in [0, " << experts
                          << "), got " << formatWhole(index) << " in slot " << s
                          << " of row " << row;
      chosen.push_back(static_cast<int64_t>(index));
      factors.push_back(form.getWeightScaleValue() *
                        (scale ? scale->data()[chosen.back()] : 1));
    }
    ArrayRef<double> dy = gradient.data().slice(row * slots, slots);
    RouteGradient of(form, std::move(own), chosen);
    llvm::copy(of.byLogits(dy, factors), byLogits->begin() + row * experts);
    for (int64_t s = 0; s < slots; ++s)
      byScale[chosen[s]] += dy[s] * of.getWeight(s);
  }
  Tensors results;
  for (StringRef name : op.getWrt().getAsValueRange<StringAttr>()) {
    ElementType type = at.getResultType(results.size());
    results.push_back(name == "logits" ? at.round(*byLogits, logits.shape, type)
                                       : at.round(byScale, {experts}, type));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

/// Computes gradients by gate and up of one slot, from that by the hidden
/// value.
static void activateBack(block::ExpertsAttr form, ArrayRef<double> columns,
                         ArrayRef<double> byHidden,
                         MutableArrayRef<double> byColumns) {
  auto limit = form.getLimit() ? form.getLimit().getValueAsDouble()
                               : std::numeric_limits<double>::infinity();
  bool interleaved = form.getLayout() == block::ExpertLayout::Interleaved;
  for (size_t i = 0; i < byHidden.size(); ++i) {
    size_t gate = interleaved ? 2 * i : i, up = !form.hasGate() ? i
                                                : interleaved
                                                    ? 2 * i + 1
                                                    : byHidden.size() + i;
    double u = columns[up];
    double boundedUp = u > limit ? limit : u < -limit ? -limit : u;
    double passesUp = std::abs(u) > limit ? 0 : 1;
    if (!form.hasGate()) {
      byColumns[up] = byHidden[i] * passesUp *
                      differentiateActivation(form.getActivation(), boundedUp);
      continue;
    }
    double g = columns[gate], boundedGate = g > limit ? limit : g;
    byColumns[up] = byHidden[i] * passesUp *
                    applyActivation(form.getActivation(), boundedGate);
    byColumns[gate] =
        byHidden[i] * (g > limit ? 0 : 1) *
        differentiateActivation(form.getActivation(), boundedGate) *
        (boundedUp + form.getUpOffsetValue());
  }
}

/// Adds, for each slot, the product of a row of `rows` and one of `columns` to
/// the matrix of its expert.
static FailureOr<std::vector<double>>
sumOuterProducts(Evaluation &at, const Slots &slots, ArrayRef<double> rows,
                 ArrayRef<double> columns, const Tensor &stack) {
  int64_t height = stack.shape[1], width = stack.shape[2];
  FailureOr<std::vector<double>> sums = at.allocate(stack.shape);
  if (failed(sums))
    return failure();
  parallelFor(height, slots.experts.size() * width, [&](int64_t r) {
    for (auto [slot, expert] : llvm::enumerate(slots.experts))
      for (int64_t c = 0; c < width && expert; ++c)
        (*sums)[(*expert * height + r) * width + c] +=
            rows[static_cast<int64_t>(slot) * height + r] *
            columns[static_cast<int64_t>(slot) * width + c];
  });
  return sums;
}

static std::vector<double> sumRows(const Slots &slots, ArrayRef<double> rows,
                                   const Tensor &bias) {
  int64_t width = bias.shape[1];
  std::vector<double> sums(bias.data().size());
  for (auto [slot, expert] : llvm::enumerate(slots.experts))
    for (int64_t c = 0; c < width && expert; ++c)
      sums[*expert * width + c] += rows[static_cast<int64_t>(slot) * width + c];
  return sums;
}

namespace {
/// The parts of gradients of experts, a row for each slot.
class ExpertsGradient {
public:
  ExpertsGradient(Evaluation &at, block::ExpertsGradOp op)
      : at(at), form(op.getForm()), dy(at.get(op.getGradient())),
        input(at.get(op.getInput())), weights(at.get(op.getWeights())),
        in{&at.get(op.getUpWeight()), &at.get(op.getDownWeight()),
           at.getOptional(op.getUpBias()), at.getOptional(op.getDownBias()),
           form} {}

  LogicalResult compute(const Tensor &indices);
  FailureOr<Tensor> get(StringRef operand, ElementType type) const;

private:
  void weighHidden(bool weighsInput);
  std::vector<double> sumByInput() const;
  std::vector<double> dotByWeights() const;
  FailureOr<std::vector<double>> sumByStack(bool isUp) const;

  Evaluation &at;
  block::ExpertsAttr form;
  const Tensor &dy, &input, &weights;
  ExpertOperands in;
  ExpertValues values;
  /// Gradients by the output of down, by gate and up, and by what up reads.
  std::vector<double> byOutputs, byColumns, byRead;
  /// The rows of the gradient for each slot, and hidden values, times weights
  /// if those weigh the output.
  std::vector<double> gradients, weighedHidden;
};
} // namespace

LogicalResult ExpertsGradient::compute(const Tensor &indices) {
  FailureOr<ExpertValues> computed =
      computeExperts(at, input, indices, weights, in);
  if (failed(computed))
    return failure();
  values = std::move(*computed);
  const Slots &slots = values.slots;
  auto count = static_cast<int64_t>(slots.experts.size());
  int64_t out = dy.shape.back(), wide = values.projected.shape.back(),
          hidden = values.hidden.shape.back();
  FailureOr<std::vector<double>> outputs = at.allocate({count, out}),
                                 columns = at.allocate({count, wide});
  if (failed(outputs) || failed(columns))
    return failure();
  bool weighsInput = form.getWeigh() == block::Weigh::Input;
  for (int64_t i = 0; i < count * out; ++i)
    (*outputs)[i] = dy.data()[i / out / slots.perRow * out + i % out] *
                    (weighsInput ? 1 : weights.data()[i / out]);
  byOutputs = std::move(*outputs);
  weighHidden(weighsInput);
  FailureOr<std::vector<double>> byHidden = projectSlots(
      at, byOutputs, slots, *in.down, /*bias=*/nullptr, !form.getTransposed());
  if (failed(byHidden))
    return failure();
  byColumns = std::move(*columns);
  for (int64_t slot = 0; slot < count; ++slot)
    activateBack(form, values.projected.data().slice(slot * wide, wide),
                 ArrayRef(*byHidden).slice(slot * hidden, hidden),
                 MutableArrayRef(byColumns).slice(slot * wide, wide));
  byColumns =
      at.round(std::move(byColumns), {count, wide}, input.type).data().vec();
  FailureOr<std::vector<double>> read = projectSlots(
      at, byColumns, slots, *in.up, /*bias=*/nullptr, !form.getTransposed());
  if (failed(read))
    return failure();
  byRead = std::move(*read);
  return success();
}

void ExpertsGradient::weighHidden(bool weighsInput) {
  weighedHidden = values.hidden.data().vec();
  gradients = byOutputs;
  if (weighsInput)
    return;
  size_t width = values.hidden.shape.back(), out = dy.shape.back();
  for (size_t i = 0; i < weighedHidden.size(); ++i)
    weighedHidden[i] *= weights.data()[i / width];
  Tensor narrow =
      at.round(std::move(weighedHidden), values.hidden.shape, input.type);
  weighedHidden = narrow.data().vec();
  for (size_t i = 0; i < gradients.size(); ++i)
    gradients[i] = dy.data()[i / out / values.slots.perRow * out + i % out];
}

std::vector<double> ExpertsGradient::sumByInput() const {
  const Slots &slots = values.slots;
  int64_t width = input.shape.back();
  bool weighsInput = form.getWeigh() == block::Weigh::Input;
  std::vector<double> sums(input.data().size());
  for (auto [slot, expert] : llvm::enumerate(slots.experts))
    for (int64_t c = 0; c < width && expert; ++c)
      sums[static_cast<int64_t>(slot) / slots.perRow * width + c] +=
          byRead[static_cast<int64_t>(slot) * width + c] *
          (weighsInput ? weights.data()[slot] : 1);
  return sums;
}

std::vector<double> ExpertsGradient::dotByWeights() const {
  const Slots &slots = values.slots;
  bool weighsInput = form.getWeigh() == block::Weigh::Input;
  ArrayRef<double> ofRow = weighsInput ? input.data() : dy.data(),
                   ofSlot = weighsInput ? byRead : values.outputs;
  int64_t width = weighsInput ? input.shape.back() : dy.shape.back();
  std::vector<double> dots(slots.experts.size());
  for (auto [slot, expert] : llvm::enumerate(slots.experts))
    for (int64_t c = 0; c < width && expert; ++c)
      dots[slot] +=
          ofRow[static_cast<int64_t>(slot) / slots.perRow * width + c] *
          ofSlot[static_cast<int64_t>(slot) * width + c];
  return dots;
}

FailureOr<std::vector<double>> ExpertsGradient::sumByStack(bool isUp) const {
  ArrayRef<double> outputs = isUp ? byColumns : gradients,
                   inputs = isUp ? values.read.data() : ArrayRef(weighedHidden);
  bool transposed = form.getTransposed();
  return sumOuterProducts(at, values.slots, transposed ? inputs : outputs,
                          transposed ? outputs : inputs,
                          isUp ? *in.up : *in.down);
}

FailureOr<Tensor> ExpertsGradient::get(StringRef operand,
                                       ElementType type) const {
  if (operand == "input")
    return at.round(sumByInput(), input.shape, type);
  if (operand == "weights")
    return at.round(dotByWeights(), weights.shape, type);
  bool isUp = operand.starts_with("up");
  if (operand.ends_with("bias")) {
    const Tensor &bias = isUp ? *in.upBias : *in.downBias;
    return at.round(sumRows(values.slots, isUp ? byColumns : byOutputs, bias),
                    bias.shape, type);
  }
  FailureOr<std::vector<double>> sums = sumByStack(isUp);
  if (failed(sums))
    return failure();
  return at.round(std::move(*sums), (isUp ? in.up : in.down)->shape, type);
}

static FailureOr<Tensors> evalExpertsGrad(block::ExpertsGradOp op,
                                          Evaluation &at) {
  const Tensor &input = at.get(op.getInput()),
               &indices = at.get(op.getIndices()),
               &gradient = at.get(op.getGradient());
  for (unsigned dim : {0, 1})
    if (failed(at.checkSize("indices", indices, dim, input.shape[dim],
                            "rows of the input")) ||
        failed(at.checkSize("gradient", gradient, dim, input.shape[dim],
                            "rows of the input")))
      return failure();
  if (failed(at.checkSameShape("weights", at.get(op.getWeights()), "indices",
                               indices)))
    return failure();
  ExpertsGradient of(at, op);
  if (failed(of.compute(indices)))
    return failure();
  Tensors results;
  for (StringRef name : op.getWrt().getAsValueRange<StringAttr>()) {
    FailureOr<Tensor> result = of.get(name, at.getResultType(results.size()));
    if (failed(result))
      return failure();
    results.push_back(std::move(*result));
  }
  return results;
}

void reference::addExpertGradEvaluators(Registry &registry) {
  registry.add<block::RouteGradOp>(evalRouteGrad);
  registry.add<block::ExpertsGradOp>(evalExpertsGrad);
}
