//===- EvalScalar.cpp - arith, math and index outside of bodies -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Broadcast.h"
#include "ScalarTables.h"

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

void evaluator::addScalarEvaluators(Table &table) {
  ScalarTable names;
  addFloatFunctions(names);
  addIntegerFunctions(names);
  addCastFunctions(names);
  for (const auto &entry : names)
    table.add(entry.getKey(), evalScalarOp);
  for (llvm::StringRef comparison : {"arith.cmpf", "arith.cmpi"})
    table.add(comparison, evalScalarOp);
}
