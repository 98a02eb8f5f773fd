//===- SpecAttributes.cpp - converts specs to attributes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SpecAttributes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace parablock::generate {

static FloatAttr getOptionalReal(MLIRContext *context,
                                 std::optional<double> value) {
  return value ? block::getReal(context, *value) : FloatAttr();
}

block::NormAttr getNormAttr(MLIRContext *context, const NormSpec &norm) {
  return block::NormAttr::get(context, norm.kind,
                              block::getReal(context, norm.eps), norm.epsForm,
                              norm.gammaForm, norm.rounding);
}

static Type getTableType(MLIRContext *context, TableType type) {
  switch (type) {
  case TableType::Unrounded:
    return Type();
  case TableType::F32:
    return Float32Type::get(context);
  case TableType::BF16:
    return BFloat16Type::get(context);
  case TableType::F16:
    return Float16Type::get(context);
  }
  return Type();
}

block::ScoresAttr getScoresAttr(MLIRContext *context,
                                const ScoresSpec &scores) {
  return block::ScoresAttr::get(
      context, block::getReal(context, scores.scale), scores.causal,
      scores.window, getOptionalReal(context, scores.softcap),
      getOptionalReal(context, scores.alibiMax), scores.order,
      getTableType(context, scores.alibiType));
}

block::RoutingAttr getRoutingAttr(MLIRContext *context,
                                  const ExpertsSpec &spec) {
  return block::RoutingAttr::get(
      context, spec.chosen, spec.score, spec.weight, spec.divideBy,
      getOptionalReal(context, spec.eps), spec.groups, spec.kept,
      spec.groupScore, spec.hiddenGroups,
      getOptionalReal(context, spec.logitScale),
      getOptionalReal(context, spec.weightScale));
}

block::ExpertsAttr getExpertsAttr(MLIRContext *context,
                                  const ExpertsSpec &spec) {
  return block::ExpertsAttr::get(context, spec.activation, spec.layout,
                                 spec.transposed, spec.weigh,
                                 getOptionalReal(context, spec.limit),
                                 getOptionalReal(context, spec.upOffset));
}

block::RopeAttr getRopeAttr(MLIRContext *context,
                            const std::optional<RopeSpec> &rope) {
  if (!rope)
    return {};
  DenseF64ArrayAttr frequencies;
  if (!rope->invFreq.empty())
    frequencies = DenseF64ArrayAttr::get(context, rope->invFreq);
  FloatAttr base, scale;
  if (!frequencies && rope->base != 10000)
    base = block::getReal(context, rope->base);
  if (rope->tableScale != 1)
    scale = block::getReal(context, rope->tableScale);
  return block::RopeAttr::get(context, rope->style, rope->dim, base,
                              frequencies, scale,
                              getTableType(context, rope->tableType));
}

block::QkNormAttr getQkNormAttr(MLIRContext *context,
                                const std::optional<QkNormSpec> &norm) {
  if (!norm)
    return {};
  return block::QkNormAttr::get(context, getNormAttr(context, norm->q),
                                norm->extent, norm->place);
}

block::BucketsAttr getBucketsAttr(MLIRContext *context,
                                  const std::optional<BucketsSpec> &buckets) {
  if (!buckets)
    return {};
  return block::BucketsAttr::get(context, buckets->maxDistance,
                                 buckets->bidirectional);
}

} // namespace parablock::generate
