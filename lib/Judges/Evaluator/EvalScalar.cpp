//===- EvalScalar.cpp - evaluates scalar ops ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Broadcast.h"
#include "ScalarTables.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

/// On numbers, or elementwise on tensors of one shape.
static FailureOr<Arrays> evalScalarOp(Step &step) {
  ScalarFunction function = getScalarFunction(step.op);
  if (!function || function.getArity() != step.op->getNumOperands())
    return step.error() << "has a form that cannot be evaluated";
  SmallVector<const Array *, 3> operands;
  for (Value operand : step.op->getOperands())
    operands.push_back(&step.get(operand));
  return mapElements(step, operands, function);
}

static FailureOr<Arrays> evalAssert(cf::AssertOp op, Step &step) {
  if (step.get(op.getArg()).data().front() != 0)
    return Arrays();
  return step.error() << "does not hold: " << op.getMsg();
}

/// Computes sizes from sizes.
static FailureOr<Arrays> evalApply(affine::AffineApplyOp op, Step &step) {
  SmallVector<Attribute> places;
  Type index = IndexType::get(op.getContext());
  for (Value operand : op.getMapOperands())
    places.push_back(IntegerAttr::get(index, step.getWhole(operand)));
  SmallVector<Attribute> result;
  if (failed(op.getAffineMap().constantFold(places, result)))
    return step.error() << "divides by a number that is not positive";
  double size = cast<IntegerAttr>(result.front()).getValue().getSExtValue();
  return step.finish({size}, {});
}

void evaluator::addScalarEvaluators(Table &table) {
  ScalarTable names;
  addFloatFunctions(names);
  addIntegerFunctions(names);
  addCastFunctions(names);
  for (const auto &entry : names)
    table.add(entry.getKey(), evalScalarOp);
  for (llvm::StringRef comparison : {"arith.cmpf", "arith.cmpi"})
    table.add(comparison, evalScalarOp);
  table.add<affine::AffineApplyOp>(evalApply);
  table.add<cf::AssertOp>(evalAssert);
}
