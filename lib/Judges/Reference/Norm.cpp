//===- Norm.cpp - computes statistics and factors -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Norm.h"

#include "Steps.h"
#include "parablock/Support/RandomRounding.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

RowStatistics reference::computeStatistics(llvm::ArrayRef<double> row,
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

FailureOr<Tensors>
reference::makeStatistics(Evaluation &at, const Tensor &input, int64_t number,
                          bool centered,
                          llvm::function_ref<RowStatistics(int64_t)> compute) {
  llvm::SmallVector<int64_t> shape = withWidth(input, number);
  FailureOr<std::vector<double>> mean = at.allocate(shape);
  FailureOr<std::vector<double>> moment = at.allocate(shape);
  if (failed(mean) || failed(moment))
    return failure();
  for (int64_t i = 0, e = moment->size(); i < e; ++i) {
    RowStatistics statistics = compute(i);
    (*mean)[i] = statistics.mean;
    (*moment)[i] = statistics.moment;
  }
  Tensors results;
  if (centered)
    results.push_back(at.round(std::move(*mean), shape, ElementType::F32));
  results.push_back(at.round(std::move(*moment), shape, ElementType::F32));
  return results;
}

double reference::computeNormFactor(block::NormAttr form, double moment,
                                    int64_t size) {
  double eps = form.getEpsValue();
  double s = form.getKind() == block::NormKind::L2
                 ? moment * static_cast<double>(size)
                 : moment;
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

double reference::getEffectiveGain(block::NormAttr form, double stored) {
  return form.getGammaForm() == block::GammaForm::OnePlus ? 1 + stored : stored;
}

LogicalResult reference::checkStatisticsRows(Evaluation &at,
                                             const Tensor &input,
                                             const Tensor *mean,
                                             const Tensor &moment) {
  for (auto [name, statistic] :
       {std::pair("mean", mean), std::pair("moment", &moment)})
    for (unsigned dim : {0, 1})
      if (failed(at.checkSize(name, statistic, dim, input.shape[dim],
                              "as many as the input has")))
        return failure();
  return success();
}

Tensor reference::applyStatistics(
    Evaluation &at, const Tensor &input, const NormOperands &operands,
    llvm::function_ref<RowStatistics(int64_t, llvm::ArrayRef<double>)>
        statisticsOf) {
  block::NormAttr form = operands.form;
  std::vector<double> result(input.data().size());
  if (result.empty())
    return at.wrap({}, input.shape, operands.type);

  int64_t size = input.shape.back() / operands.groups;
  int64_t count = static_cast<int64_t>(result.size()) / size;
  for (int64_t group = 0; group < count; ++group) {
    llvm::ArrayRef<double> row = input.data().slice(group * size, size);
    RowStatistics statistics = statisticsOf(group, row);
    double factor = computeNormFactor(form, statistics.moment, size);
    for (int64_t c = 0; c < size; ++c)
      result[group * size + c] = (row[c] - statistics.mean) * factor;
  }
  if (form.getRounding() == block::NormRounding::BeforeGain &&
      !at.frame.options.exactArithmetic)
    roundTo(operands.type, result, at.frame.options.roundingSeed);

  for (int64_t i = 0, e = result.size(); i < e; ++i) {
    // A gain of a group's size repeats, one of the row's size does too.
    if (const Tensor *gamma = operands.gamma)
      result[i] *= getEffectiveGain(form, gamma->data()[i % gamma->shape[0]]);
    if (const Tensor *beta = operands.beta)
      result[i] += beta->data()[i % beta->shape[0]];
  }
  return at.round(std::move(result), input.shape, operands.type);
}

Tensor reference::normalize(Evaluation &at, const Tensor &input,
                            const NormOperands &operands) {
  bool centered = operands.form.isCentered();
  return applyStatistics(at, input, operands,
                         [&](int64_t, llvm::ArrayRef<double> row) {
                           return computeStatistics(row, centered);
                         });
}
