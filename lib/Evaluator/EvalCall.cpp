//===- EvalCall.cpp - calls and assertions --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

static FailureOr<Arrays> evalCall(func::CallOp op, Step &step) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee)
    return step.error() << "expected a function named '" << op.getCallee()
                        << "'";
  SmallVector<Array> arguments;
  for (Value operand : op.getOperands())
    arguments.push_back(step.get(operand));
  return runFunction(callee, arguments, step.options, step.callDepth + 1);
}

static FailureOr<Arrays> evalAssert(cf::AssertOp op, Step &step) {
  if (step.get(op.getArg()).data().front() != 0)
    return Arrays();
  return step.error() << "does not hold: " << op.getMsg();
}

/// Sizes that are computed from sizes.
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

void evaluator::addCallEvaluators(Table &table) {
  table.add<affine::AffineApplyOp>(evalApply);
  table.add<func::CallOp>(evalCall);
  table.add<cf::AssertOp>(evalAssert);
}
