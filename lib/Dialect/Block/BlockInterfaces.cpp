//===- BlockInterfaces.cpp - default methods of step interfaces -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/BlockInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

#include "parablock/Dialect/Block/BlockInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Questions to any op
//===----------------------------------------------------------------------===//

bool parablock::block::handsOnColumns(Operation *op) {
  auto step = cast<StepOpInterface>(op);
  ModelPart part = step.getPart();
  if (part == ModelPart::Attention || part == ModelPart::Mlp)
    return false;
  SmallVector<Value, 2> columns = step.getOperandsOf(OperandRole::Columns);
  return columns.size() == 1 && columns.front() == op->getOperand(0);
}

bool parablock::block::isProduct(KernelKind kind) {
  switch (kind) {
  case KernelKind::Linear:
  case KernelKind::LinearSum:
  case KernelKind::Head:
    return true;
  case KernelKind::Sdpa:
  case KernelKind::Rows:
  case KernelKind::Elements:
    return false;
  }
  llvm_unreachable("unknown kind of kernel");
}

static std::optional<KernelKind> getRootKind(Operation *op) {
  auto step = dyn_cast_or_null<StepOpInterface>(op);
  return step ? step.getRootKind() : std::nullopt;
}

bool parablock::block::isProduct(Operation *op) {
  std::optional<KernelKind> kind = getRootKind(op);
  return kind && isProduct(*kind);
}

bool parablock::block::isAttentionCore(Operation *op) {
  return getRootKind(op) == KernelKind::Sdpa;
}

bool parablock::block::isComposite(Operation *op) {
  auto step = dyn_cast_or_null<StepOpInterface>(op);
  return step && step.getStepKind() == StepKind::Composite;
}

std::optional<StepReach> parablock::block::getReach(Operation *op) {
  if (auto step = dyn_cast_or_null<StepOpInterface>(op))
    return step.getReach();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Steps on heads and groups
//===----------------------------------------------------------------------===//

template <typename OpT> static int64_t getPartWidth(OpT op, int64_t parts) {
  return getDim(op.getInput(), -1) / parts;
}

int64_t RopeOp::getGranule() { return getPartWidth(*this, getHeads()); }
int64_t RotateOp::getGranule() { return getPartWidth(*this, getHeads()); }
int64_t NormStatsOp::getGranule() { return getPartWidth(*this, getGroups()); }
int64_t NormalizeOp::getGranule() { return getPartWidth(*this, getGroups()); }
int64_t EncodeGroupsOp::getGroup() {
  return getPartWidth(*this, getDim(getScales(), -1));
}
int64_t DecodeGroupsOp::getGroup() {
  return getDim(getCodes(), -1) / getDim(getScales(), -1);
}
int64_t NormGradOp::getGranule() { return getPartWidth(*this, getGroups()); }
int64_t RowDotsOp::getGranule() { return getPartWidth(*this, getGroups()); }

StepReach NormStatsOp::getReach() {
  return getGroups() > 1 ? StepReach::Group : StepReach::Row;
}

StepReach NormalizeOp::getReach() {
  return getGroups() > 1 ? StepReach::Group : StepReach::Row;
}

StepReach NormGradOp::getReach() {
  return getGroups() > 1 ? StepReach::Group : StepReach::Row;
}

StepReach RowDotsOp::getReach() {
  return getGroups() > 1 ? StepReach::Group : StepReach::Row;
}

void RopeOp::takeColumns(int64_t own, int64_t all) {
  setHeads(getHeads() * own / all);
}

void RotateOp::takeColumns(int64_t own, int64_t all) {
  setHeads(getHeads() * own / all);
}

void NormalizeOp::takeColumns(int64_t own, int64_t all) {
  if (getGroups() > 1)
    setGroups(getGroups() * own / all);
}

void NormGradOp::takeColumns(int64_t own, int64_t all) {
  if (getGroups() > 1)
    setGroups(getGroups() * own / all);
}

void RowDotsOp::takeColumns(int64_t own, int64_t all) {
  if (getGroups() > 1)
    setGroups(getGroups() * own / all);
}

double PatchEmbeddingOp::getFlopsPerRow() {
  double flops = 2;
  for (int64_t size : cast<ShapedType>(getWeight().getType()).getShape())
    flops *= static_cast<double>(size);
  return flops;
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Returns whether kernels support the types of a cast.
static bool isBetweenComputed(Operation *op) {
  auto isComputed = [](Type type) {
    type = getElementTypeOrSelf(type);
    return type.isF32() || type.isBF16() || type.isF16();
  };
  return isComputed(op->getOperand(0).getType()) &&
         isComputed(op->getResult(0).getType());
}

/// Returns whether a cast rounds as kernels do.
static bool roundsToNearest(arith::ExtFOp) { return true; }
static bool roundsToNearest(arith::TruncFOp op) {
  return op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) ==
         arith::RoundingMode::to_nearest_even;
}

namespace {
template <typename OpT>
struct CastStep : StepOpInterface::ExternalModel<CastStep<OpT>, OpT> {
  static StepKind getStepKind(Operation *op) {
    return isBetweenComputed(op) && roundsToNearest(cast<OpT>(op))
               ? StepKind::Step
               : StepKind::Outside;
  }
  static StepReach getReach(Operation *) { return StepReach::Element; }
  static ModelPart getPart(Operation *) { return ModelPart::Other; }
  static OperandRole getOperandRole(Operation *, OpOperand &) {
    return OperandRole::Columns;
  }
  static bool movesRows(Operation *) { return false; }
};
} // namespace

void parablock::block::attachStepInterfaces(MLIRContext *context) {
  arith::TruncFOp::attachInterface<CastStep<arith::TruncFOp>>(*context);
  arith::ExtFOp::attachInterface<CastStep<arith::ExtFOp>>(*context);
}
