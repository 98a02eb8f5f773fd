//===- EvalLoss.cpp - evaluates losses and gradients ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Judges/Reference/Matmul.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

namespace {
/// The logits of one row after another.
template <typename OpT> class LossRows {
public:
  LossRows(OpT op, Evaluation &at)
      : input(at.get(op.getInput())), weight(at.get(op.getWeight())),
        targets(at.get(op.getTargets())), at(at),
        bias(at.getOptional(op.getBias())),
        divisor(at.getOptional(op.getDivisor())),
        ignored(static_cast<int64_t>(op.getIgnored())),
        scale(op.getScale().convertToDouble()),
        cap(op.getSoftcap() ? op.getSoftcap()->convertToDouble() : 0),
        logits(getVocabulary()) {}

  int64_t getVocabulary() const { return weight.shape[0]; }
  int64_t getWidth() const { return weight.shape[1]; }
  int64_t getRows() const { return targets.getNumElements(); }

  LogicalResult check() {
    for (unsigned dim : {0, 1})
      if (failed(at.checkSize("targets", targets, dim, input.shape[dim],
                              "that of the input")))
        return failure();
    for (auto [row, target] : llvm::enumerate(targets.data())) {
      bool isIgnored = target == static_cast<double>(ignored);
      counted += !isIgnored;
      if (!isIgnored &&
          !(target >= 0 && target < static_cast<double>(getVocabulary())))
        return at.error() << "expected target " << row << " to be in [0, "
                          << getVocabulary() << ") or " << ignored << ", got "
                          << formatWhole(target);
    }
    return success();
  }

  double getDivisor() const {
    return divisor ? divisor->data().front() : counted;
  }

  /// Returns the target of a row that counts, whose logits are then in
  /// `logits`.
  std::optional<int64_t> openRow(int64_t row) {
    double target = targets.data()[row];
    if (target == static_cast<double>(ignored))
      return std::nullopt;
    multiplyTransposed(
        {input.data().data() + row * getWidth(), 1, getWidth(), getWidth()},
        {weight.data().data(), getVocabulary(), getWidth(), getWidth()},
        logits.data(), getVocabulary());
    for (int64_t v = 0; v < getVocabulary(); ++v) {
      logits[v] = scale * (logits[v] + (bias ? bias->data()[v] : 0));
      if (cap != 0)
        logits[v] = cap * std::tanh(logits[v] / cap);
    }
    return static_cast<int64_t>(target);
  }

  /// The logarithm of the sum of their exponentials.
  double sumExponentials() const {
    double largest = *std::max_element(logits.begin(), logits.end()), sum = 0;
    for (double logit : logits)
      sum += std::exp(logit - largest);
    return largest + std::log(sum);
  }

  /// Returns the derivative of logit `v` by `input weight^T + bias`.
  double getSlope(int64_t v) const {
    return cap == 0 ? scale
                    : scale * (1 - (logits[v] / cap) * (logits[v] / cap));
  }

  const Tensor &input, &weight, &targets;

private:
  Evaluation &at;
  const Tensor *bias, *divisor;
  const int64_t ignored;
  const double scale;
  /// 0: none.
  const double cap;
  double counted = 0;

public:
  std::vector<double> logits;
};
} // namespace

static FailureOr<Tensor> evalCrossEntropy(block::CrossEntropyOp op,
                                          Evaluation &at) {
  LossRows rows(op, at);
  if (failed(rows.check()))
    return failure();
  double loss = 0;
  bool isEmpty = true;
  for (int64_t row = 0; row < rows.getRows(); ++row)
    if (std::optional<int64_t> target = rows.openRow(row)) {
      loss += rows.sumExponentials() - rows.logits[*target];
      isEmpty = false;
    }
  return at.round({isEmpty ? 0 : loss / rows.getDivisor()}, {},
                  at.getResultType());
}

static FailureOr<Tensors> evalCrossEntropyGrad(block::CrossEntropyGradOp op,
                                               Evaluation &at) {
  LossRows rows(op, at);
  if (failed(rows.check()))
    return failure();
  int64_t vocabulary = rows.getVocabulary(), width = rows.getWidth();
  FailureOr<std::vector<double>> byInput = at.allocate(rows.input.shape);
  FailureOr<std::vector<double>> byWeight = at.allocate({vocabulary, width});
  if (failed(byInput) || failed(byWeight))
    return failure();
  std::vector<double> byBias(vocabulary);
  double factor = at.get(op.getGradient()).data().front() / rows.getDivisor();
  for (int64_t row = 0; row < rows.getRows(); ++row) {
    std::optional<int64_t> target = rows.openRow(row);
    if (!target)
      continue;
    double logOfSum = rows.sumExponentials();
    const double *x = rows.input.data().data() + row * width;
    for (int64_t v = 0; v < vocabulary; ++v) {
      double c = factor * rows.getSlope(v) *
                 (std::exp(rows.logits[v] - logOfSum) - (v == *target));
      const double *w = rows.weight.data().data() + v * width;
      for (int64_t k = 0; k < width; ++k) {
        (*byInput)[row * width + k] += c * w[k];
        (*byWeight)[v * width + k] += c * x[k];
      }
      byBias[v] += c;
    }
  }
  Tensors results;
  for (auto [index, wrt] :
       llvm::enumerate(op.getWrt().getAsValueRange<StringAttr>())) {
    ElementType type = at.getResultType(index);
    results.push_back(
        wrt == "input"    ? at.round(*byInput, rows.input.shape, type)
        : wrt == "weight" ? at.round(*byWeight, rows.weight.shape, type)
                          : at.round(byBias, {vocabulary}, type));
  }
  return results;
}

void reference::addLossEvaluators(Registry &registry) {
  registry.add<block::CrossEntropyOp>(evalCrossEntropy);
  registry.add<block::CrossEntropyGradOp>(evalCrossEntropyGrad);
}
