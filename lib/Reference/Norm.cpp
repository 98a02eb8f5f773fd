//===- Norm.cpp - statistics of rows and their application ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Norm.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

RowStatistics
parablock::reference::computeStatistics(llvm::ArrayRef<double> row,
                                        bool centered) {
  double size = static_cast<double>(row.size());
  RowStatistics statistics;
  if (centered)
    statistics.mean = std::accumulate(row.begin(), row.end(), 0.0) / size;
  for (double x : row)
    statistics.moment += (x - statistics.mean) * (x - statistics.mean);
  statistics.moment /= size;
  return statistics;
}

/// `r`, the factor of `x - mean`.
static double computeFactor(block::NormAttr form, double moment, int64_t size) {
  double eps = form.getEpsValue();
  double s = form.getKind() == block::NormKind::L2 ? moment * size : moment;
  switch (form.getEpsForm()) {
  case block::EpsForm::InsideRoot:
    return 1 / std::sqrt(s + eps);
  case block::EpsForm::OutsideRoot:
    return 1 / (std::sqrt(s) + eps);
  case block::EpsForm::Clamp:
    return 1 / std::max(std::sqrt(s), eps);
  }
  llvm_unreachable("every form of epsilon has its case");
}

FailureOr<Tensor> parablock::reference::applyStatistics(
    Evaluation &at, const Tensor &input, const NormOperands &operands,
    llvm::function_ref<RowStatistics(int64_t, llvm::ArrayRef<double>)>
        statisticsOf) {
  block::NormAttr form = operands.form;
  int64_t width = input.shape.back();
  if (failed(at.checkDivides("groups", operands.groups, "the width", width)))
    return failure();
  int64_t size = width / operands.groups;
  for (NamedTensor gain : {operands.gamma, operands.beta})
    if (failed(at.checkOneOf(gain.name, gain.tensor, size, width,
                             "a group, or the whole row")))
      return failure();
  FailureOr<std::vector<double>> result = at.allocate(input.shape);
  if (failed(result))
    return failure();
  if (result->empty())
    return at.wrap({}, input.shape, operands.type);

  int64_t count = static_cast<int64_t>(result->size()) / size;
  for (int64_t group = 0; group < count; ++group) {
    llvm::ArrayRef<double> row = input.data().slice(group * size, size);
    RowStatistics statistics = statisticsOf(group, row);
    double factor = computeFactor(form, statistics.moment, size);
    for (int64_t c = 0; c < size; ++c)
      (*result)[group * size + c] = (row[c] - statistics.mean) * factor;
  }
  if (form.getRounding() == block::NormRounding::BeforeGain &&
      !at.frame.options.exactArithmetic)
    roundTo(operands.type, *result);

  double added = form.getGammaForm() == block::GammaForm::OnePlus ? 1 : 0;
  for (int64_t i = 0, e = result->size(); i < e; ++i) {
    // A gain of a group's size repeats, one of the row's size does too.
    if (const Tensor *gamma = operands.gamma.tensor)
      (*result)[i] *= added + gamma->data()[i % gamma->shape[0]];
    if (const Tensor *beta = operands.beta.tensor)
      (*result)[i] += beta->data()[i % beta->shape[0]];
  }
  return at.round(std::move(*result), input.shape, operands.type);
}

FailureOr<Tensor>
parablock::reference::normalize(Evaluation &at, const Tensor &input,
                                const NormOperands &operands) {
  bool centered = operands.form.isCentered();
  return applyStatistics(at, input, operands,
                         [&](int64_t, llvm::ArrayRef<double> row) {
                           return computeStatistics(row, centered);
                         });
}
