//===- EvalNorm.cpp - norm, norm_stats, normalize -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Norm.h"
#include "Registry.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

template <typename OpT>
static NormOperands getNormOperands(OpT op, Evaluation &at) {
  return {at.getOptional(op.getGamma()), at.getOptional(op.getBeta()),
          op.getForm(), static_cast<int64_t>(op.getGroups()),
          at.getResultType()};
}

static FailureOr<Tensor> evalNorm(block::NormOp op, Evaluation &at) {
  return normalize(at, at.get(op.getInput()), getNormOperands(op, at));
}

static FailureOr<Tensors> evalNormStats(block::NormStatsOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  int64_t groups = op.getGroups(), size = input.shape.back() / groups;
  return makeStatistics(at, input, groups, op.getCentered(), [&](int64_t i) {
    return computeStatistics(input.data().slice(i * size, size),
                             op.getCentered());
  });
}

static FailureOr<Tensor> evalNormalize(block::NormalizeOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor *mean = at.getOptional(op.getMean());
  const Tensor &moment = at.get(op.getMoment());
  if (failed(checkStatisticsRows(at, input, mean, moment)))
    return failure();
  return applyStatistics(
      at, input, getNormOperands(op, at),
      [&](int64_t group, llvm::ArrayRef<double>) -> RowStatistics {
        return {mean ? mean->data()[group] : 0.0, moment.data()[group]};
      });
}

void reference::addNormEvaluators(Registry &registry) {
  registry.add<block::NormOp>(evalNorm);
  registry.add<block::NormStatsOp>(evalNormStats);
  registry.add<block::NormalizeOp>(evalNormalize);
}
