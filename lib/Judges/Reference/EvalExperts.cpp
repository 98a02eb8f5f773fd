//===- EvalExperts.cpp - moe, route and experts ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Experts.h"
#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Judges/Reference/Matmul.h"
#include "parablock/Judges/Reference/RouteLog.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

//===----------------------------------------------------------------------===//
// Routing
//===----------------------------------------------------------------------===//

void reference::applySoftmax(Row &values) {
  double most = *llvm::max_element(values), sum = 0;
  for (double &value : values)
    sum += value = std::exp(value - most);
  for (double &value : values)
    value /= sum;
}

Row reference::computeScores(block::RouterScore kind, const Row &logits) {
  Row scores = logits;
  switch (kind) {
  case block::RouterScore::Softmax:
    applySoftmax(scores);
    break;
  case block::RouterScore::Sigmoid:
    llvm::transform(logits, scores.begin(), sigmoid);
    break;
  case block::RouterScore::RootSoftplus:
    llvm::transform(logits, scores.begin(), [](double x) {
      return std::sqrt(applyActivation(block::Activation::Softplus, x));
    });
    break;
  case block::RouterScore::Logit:
    break;
  }
  return scores;
}

/// Returns the places of the `count` largest values, the largest first and of
/// equal ones the first.
static std::vector<int64_t> findLargest(const Row &values, int64_t count) {
  std::vector<int64_t> places;
  for (size_t i = 0; i < values.size(); ++i)
    places.push_back(static_cast<int64_t>(i));
  llvm::sort(places, [&](int64_t a, int64_t b) {
    return values[a] > values[b] || (values[a] == values[b] && a < b);
  });
  places.resize(count);
  return places;
}

/// Step 3: the scores that groups are chosen by.
static Row scoreGroups(block::RoutingAttr form, const Row &choice) {
  int64_t groups = form.getGroups();
  auto size = static_cast<int64_t>(choice.size()) / groups;
  Row scores;
  for (int64_t group = 0; group < groups; ++group) {
    Row own(choice.begin() + group * size, choice.begin() + (group + 1) * size);
    std::vector<int64_t> best = findLargest(own, std::min<int64_t>(size, 2));
    bool addsTwo = form.getGroupScore() == block::GroupScore::BestTwo;
    scores.push_back(own[best[0]] + (addsTwo ? own[best[1]] : 0));
  }
  return scores;
}

/// Step 3: what experts of groups that are not kept are chosen by.
static void hideGroups(block::RoutingAttr form, ArrayRef<int64_t> kept,
                       Row &choice) {
  auto size = static_cast<int64_t>(choice.size()) / form.getGroups();
  double hidden = form.getHidden() == block::HiddenGroups::Zero
                      ? 0
                      : -std::numeric_limits<double>::infinity();
  for (size_t e = 0; e < choice.size(); ++e)
    if (!llvm::is_contained(kept, static_cast<int64_t>(e) / size))
      choice[e] = hidden;
}

/// Returns what a row chooses, and what it would choose if the last scores that
/// count and the next ones were in another order, of experts or of groups.
static RoutedRow chooseExperts(block::RoutingAttr form, const Row &scores) {
  RoutedRow routed;
  routed.scores = scores;
  int64_t chosen = form.getChosen(), kept = form.getKept(),
          groups = form.getGroups();
  Row choice = scores;
  if (groups > 1) {
    Row best = scoreGroups(form, scores);
    std::vector<int64_t> order = findLargest(best, groups);
    hideGroups(form, ArrayRef(order).take_front(kept), choice);
    if (kept < groups) {
      double gap = best[order[kept - 1]] - best[order[kept]];
      std::swap(order[kept - 1], order[kept]);
      Row other = scores;
      hideGroups(form, ArrayRef(order).take_front(kept), other);
      routed.others.push_back({gap, findLargest(other, chosen)});
    }
  }
  std::vector<int64_t> order = findLargest(choice, choice.size());
  routed.experts = order;
  routed.experts.resize(chosen);
  auto count = static_cast<int64_t>(order.size());
  auto change = [&](double gap, int64_t slot, ArrayRef<int64_t> experts) {
    OtherChoice &other = routed.others.emplace_back();
    other.gap = gap;
    other.experts = routed.experts;
    llvm::copy(experts, other.experts.begin() + slot);
  };
  // One of the last two gives way to one of the next two, or both do.
  int64_t first = std::max<int64_t>(chosen - 2, 0),
          end = std::min(chosen + 2, count);
  for (int64_t slot = first; slot < chosen; ++slot)
    for (int64_t next = chosen; next < end; ++next)
      change(choice[order[slot]] - choice[order[next]], slot, order[next]);
  if (first + 2 == chosen && end == chosen + 2)
    change(choice[order[first]] - choice[order[end - 1]], first,
           ArrayRef(order).slice(chosen, 2));
  return routed;
}

/// Chooses experts of the next row of a run, and notes what it did.
static Choice chooseNext(Evaluation &at, block::RoutingAttr form,
                         const Row &scores) {
  RoutedRow routed = chooseExperts(form, scores);
  RouteLog *log = at.frame.options.routes;
  if (!log)
    return routed.experts;
  auto forced = log->forced.find(log->rows.size());
  if (forced != log->forced.end())
    routed.experts = forced->second;
  log->rows.push_back(routed);
  return routed.experts;
}

ChosenWeights reference::computeChosenWeights(block::RoutingAttr form,
                                              const Row &logits,
                                              const Row &scores,
                                              ArrayRef<int64_t> chosen) {
  ChosenWeights result;
  Row &weights = result.weights;
  for (int64_t e : chosen)
    weights.push_back(
        form.getWeight() == block::RouterWeight::Score ? scores[e] : logits[e]);
  if (form.getWeight() == block::RouterWeight::Softmax)
    applySoftmax(weights);
  if (form.getWeight() == block::RouterWeight::Sigmoid)
    llvm::transform(weights, weights.begin(), sigmoid);
  double sum = 0;
  for (double weight : weights)
    sum += weight;
  if (form.getDivideBy() == block::WeightSum::Added)
    result.divisor = sum + form.getEpsValue();
  if (form.getDivideBy() == block::WeightSum::Floored)
    result.divisor = std::fmax(sum, form.getEpsValue());
  result.divisorMoves = form.getDivideBy() == block::WeightSum::Added ||
                        (form.getDivideBy() == block::WeightSum::Floored &&
                         sum > form.getEpsValue());
  return result;
}

/// Steps 5 and 6.
static Row computeWeights(block::RoutingAttr form, const Row &logits,
                          const Row &scores, ArrayRef<int64_t> chosen,
                          const Tensor *expertScale) {
  auto [weights, divisor, divisorMoves] =
      computeChosenWeights(form, logits, scores, chosen);
  for (auto [weight, e] : llvm::zip_equal(weights, chosen))
    weight = weight / divisor * form.getWeightScaleValue() *
             (expertScale ? expertScale->data()[e] : 1);
  return weights;
}

namespace {
struct Routed {
  Tensor indices, weights;
};
} // namespace

static FailureOr<Routed> route(Evaluation &at, const Tensor &logits,
                               const Tensor *correction,
                               const Tensor *expertScale,
                               block::RoutingAttr form, ElementType type) {
  llvm::SmallVector<int64_t> shape = withWidth(logits, form.getChosen());
  FailureOr<std::vector<double>> indices = at.allocate(shape),
                                 weights = at.allocate(shape);
  if (failed(indices) || failed(weights))
    return failure();
  int64_t experts = logits.shape.back(), chosen = form.getChosen();
  for (int64_t row = 0, rows = indices->size() / chosen; row < rows; ++row) {
    Row own(logits.data().slice(row * experts, experts));
    for (auto [e, logit] : llvm::enumerate(own)) {
      if (std::isnan(logit))
        return at.error() << "expected logits without NaN, got one for expert "
                          << e << " in row " << row;
      logit *= form.getLogitScaleValue();
    }
    Row scores = computeScores(form.getScore(), own), choice = scores;
    for (int64_t e = 0; correction && e < experts; ++e)
      choice[e] += correction->data()[e];
    if (llvm::any_of(choice, [](double score) { return std::isnan(score); }))
      return at.error() << "expected scores without NaN, got one in row " << row
                        << ", of an infinite logit or correction";
    Choice best = chooseNext(at, form, choice);
    llvm::copy(best, indices->begin() + row * chosen);
    llvm::copy(computeWeights(form, own, scores, best, expertScale),
               weights->begin() + row * chosen);
  }
  return Routed{at.wrap(std::move(*indices), shape, ElementType::I64),
                at.round(std::move(*weights), shape, type)};
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

FailureOr<Slots> reference::readSlots(Evaluation &at, const Tensor &indices,
                                      const Tensor &weights, int64_t experts) {
  Slots slots{indices.shape.back(), {}};
  for (auto [i, index] : llvm::enumerate(indices.data())) {
    bool exists = index >= 0 && index < static_cast<double>(experts);
    if (!exists && (index < 0 || weights.data()[i] != 0))
      return at.error() << "expected indices to be in [0, " << experts
                        << "), or larger with a weight of 0, got "
                        << formatWhole(index) << " in slot " << i % slots.perRow
                        << " of row " << i / slots.perRow;
    slots.experts.push_back(exists ? std::optional<int64_t>(index)
                                   : std::nullopt);
  }
  return slots;
}

FailureOr<std::vector<double>>
reference::projectSlots(Evaluation &at, ArrayRef<double> input,
                        const Slots &slots, const Tensor &stack,
                        const Tensor *bias, bool transposed) {
  int64_t out = stack.shape[transposed ? 2 : 1],
          in = stack.shape[transposed ? 1 : 2];
  FailureOr<std::vector<double>> result =
      at.allocate({static_cast<int64_t>(slots.experts.size()), out});
  if (failed(result))
    return failure();
  parallelFor(slots.experts.size(), out * in, [&](int64_t slot) {
    if (!slots.experts[slot])
      return;
    int64_t expert = *slots.experts[slot];
    ArrayRef<double> matrix = stack.data().slice(expert * out * in, out * in),
                     row = input.slice(slot * in, in);
    for (int64_t o = 0; o < out; ++o) {
      double sum = 0;
      for (int64_t k = 0; k < in; ++k)
        sum += row[k] * (transposed ? matrix[k * out + o] : matrix[o * in + k]);
      (*result)[slot * out + o] =
          sum + (bias ? bias->data()[expert * out + o] : 0);
    }
  });
  return result;
}

/// The hidden value of one slot, from the columns of gate and up.
static void activate(block::ExpertsAttr form, ArrayRef<double> columns,
                     MutableArrayRef<double> hidden) {
  auto limit = form.getLimit() ? form.getLimit().getValueAsDouble()
                               : std::numeric_limits<double>::infinity();
  bool interleaved = form.getLayout() == block::ExpertLayout::Interleaved;
  for (size_t i = 0; i < hidden.size(); ++i) {
    double gate = 0, up = columns[i];
    if (form.hasGate()) {
      gate = columns[interleaved ? 2 * i : i];
      up = columns[interleaved ? 2 * i + 1 : hidden.size() + i];
    }
    // Comparisons are written so that a NaN passes through.
    gate = gate > limit ? limit : gate;
    up = up > limit ? limit : up < -limit ? -limit : up;
    hidden[i] = form.hasGate() ? applyActivation(form.getActivation(), gate) *
                                     (up + form.getUpOffsetValue())
                               : applyActivation(form.getActivation(), up);
  }
}

FailureOr<ExpertValues> reference::computeExperts(Evaluation &at,
                                                  const Tensor &input,
                                                  const Tensor &indices,
                                                  const Tensor &weights,
                                                  const ExpertOperands &in) {
  bool transposed = in.form.getTransposed();
  FailureOr<Slots> slots = readSlots(at, indices, weights, in.up->shape[0]);
  if (failed(slots))
    return failure();
  auto count = static_cast<int64_t>(slots->experts.size());
  int64_t width = input.shape.back(),
          hidden = in.down->shape[transposed ? 1 : 2];
  bool weighsInput = in.form.getWeigh() == block::Weigh::Input;

  FailureOr<std::vector<double>> rows = at.allocate({count, width});
  if (failed(rows))
    return failure();
  for (int64_t i = 0; i < count * width; ++i)
    (*rows)[i] = input.data()[i / width / slots->perRow * width + i % width] *
                 (weighsInput ? weights.data()[i / width] : 1);
  Tensor read = at.round(std::move(*rows), {count, width}, input.type);

  FailureOr<std::vector<double>> columns =
      projectSlots(at, read.data(), *slots, *in.up, in.upBias, transposed);
  FailureOr<std::vector<double>> activated = at.allocate({count, hidden});
  if (failed(columns) || failed(activated))
    return failure();
  int64_t wide = in.form.hasGate() ? 2 * hidden : hidden;
  Tensor projected = at.round(std::move(*columns), {count, wide}, input.type);
  for (int64_t slot = 0; slot < count; ++slot)
    activate(in.form, projected.data().slice(slot * wide, wide),
             MutableArrayRef(*activated).slice(slot * hidden, hidden));
  Tensor inner = at.round(std::move(*activated), {count, hidden}, input.type);

  FailureOr<std::vector<double>> outputs =
      projectSlots(at, inner.data(), *slots, *in.down, in.downBias, transposed);
  if (failed(outputs))
    return failure();
  return ExpertValues{std::move(*slots), std::move(read), std::move(projected),
                      std::move(inner), std::move(*outputs)};
}

static FailureOr<Tensor>
runExperts(Evaluation &at, const Tensor &input, const Tensor &indices,
           const Tensor &weights, const ExpertOperands &in, ElementType type) {
  int64_t out = in.down->shape[in.form.getTransposed() ? 2 : 1];
  bool weighsInput = in.form.getWeigh() == block::Weigh::Input;
  llvm::SmallVector<int64_t> shape = withWidth(input, out);
  FailureOr<ExpertValues> values =
      computeExperts(at, input, indices, weights, in);
  FailureOr<std::vector<double>> sums = at.allocate(shape);
  if (failed(values) || failed(sums))
    return failure();
  const Slots &slots = values->slots;
  for (auto [slot, expert] : llvm::enumerate(slots.experts))
    for (int64_t c = 0; c < out && expert; ++c)
      (*sums)[static_cast<int64_t>(slot) / slots.perRow * out + c] +=
          (weighsInput ? 1 : weights.data()[slot]) *
          values->outputs[static_cast<int64_t>(slot) * out + c];
  return at.round(std::move(*sums), shape, type);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static FailureOr<Tensors> evalRoute(block::RouteOp op, Evaluation &at) {
  FailureOr<Routed> routed = route(
      at, at.get(op.getLogits()), at.getOptional(op.getCorrection()),
      at.getOptional(op.getExpertScale()), op.getForm(), at.getResultType(1));
  if (failed(routed))
    return failure();
  return Tensors{routed->indices, routed->weights};
}

template <typename OpT>
static ExpertOperands getExpertOperands(OpT op, Evaluation &at) {
  return {&at.get(op.getUpWeight()), &at.get(op.getDownWeight()),
          at.getOptional(op.getUpBias()), at.getOptional(op.getDownBias()),
          op.getForm()};
}

static FailureOr<Tensor> evalExperts(block::ExpertsOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput()),
               &indices = at.get(op.getIndices()),
               &weights = at.get(op.getWeights());
  for (unsigned dim : {0, 1})
    if (failed(at.checkSize("indices", indices, dim, input.shape[dim],
                            "rows of the input")))
      return failure();
  if (failed(at.checkSameShape("weights", weights, "indices", indices)))
    return failure();
  return runExperts(at, input, indices, weights, getExpertOperands(op, at),
                    at.getResultType());
}

/// Step 4 of `block.moe`.
static FailureOr<Tensor> runShared(block::MoeOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  block::Activation kind = op.getForm().getActivation();
  FailureOr<Tensor> up = linear(at, input, at.get(op.getSharedUp()),
                                /*bias=*/nullptr, input.type);
  FailureOr<Tensor> gate = op.getSharedGate()
                               ? linear(at, input, at.get(op.getSharedGate()),
                                        /*bias=*/nullptr, input.type)
                               : up;
  if (failed(up) || failed(gate))
    return failure();
  std::vector<double> hidden(up->data().size());
  for (size_t i = 0; i < hidden.size(); ++i)
    hidden[i] = applyActivation(kind, gate->data()[i]) *
                (op.getSharedGate() ? up->data()[i] : 1);
  Tensor inner = at.round(std::move(hidden), up->shape, input.type);
  FailureOr<Tensor> shared = linear(at, inner, at.get(op.getSharedDown()),
                                    /*bias=*/nullptr, input.type);
  if (failed(shared) || !op.getSharedRouter())
    return shared;
  FailureOr<Tensor> openness = linear(at, input, at.get(op.getSharedRouter()),
                                      /*bias=*/nullptr, input.type);
  if (failed(openness))
    return failure();
  int64_t width = shared->shape.back();
  std::vector<double> gated(shared->data());
  for (size_t i = 0; i < gated.size(); ++i)
    gated[i] *= sigmoid(openness->data()[i / width]);
  return at.round(std::move(gated), shared->shape, input.type);
}

static FailureOr<Tensor> evalMoe(block::MoeOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput()),
               &router = at.get(op.getRouterWeight());
  ElementType scores =
      router.type == ElementType::F32 ? router.type : input.type;
  FailureOr<Tensor> logits =
      linear(at, input, router, at.getOptional(op.getRouterBias()), scores);
  if (failed(logits))
    return failure();
  FailureOr<Routed> routed =
      route(at, *logits, at.getOptional(op.getCorrection()),
            at.getOptional(op.getExpertScale()), op.getRouting(),
            op.getRoundWeights() ? input.type : ElementType::F32);
  if (failed(routed))
    return failure();
  ElementType type = at.getResultType();
  FailureOr<Tensor> sum =
      runExperts(at, input, routed->indices, routed->weights,
                 getExpertOperands(op, at), type);
  if (failed(sum))
    return failure();
  double scale = op.getScale().convertToDouble();
  std::vector<double> total(sum->data());
  if (op.getSharedUp()) {
    FailureOr<Tensor> shared = runShared(op, at);
    if (failed(shared))
      return failure();
    for (auto [own, other] : llvm::zip_equal(total, shared->data()))
      own += other;
  }
  for (double &value : total)
    value *= scale;
  return at.round(std::move(total), sum->shape, type);
}

void reference::addExpertEvaluators(Registry &registry) {
  registry.add<block::RouteOp>(evalRoute);
  registry.add<block::ExpertsOp>(evalExperts);
  registry.add<block::MoeOp>(evalMoe);
}
