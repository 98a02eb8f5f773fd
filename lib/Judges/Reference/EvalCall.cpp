//===- EvalCall.cpp - evaluates func.call ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "RunFunction.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

static FailureOr<Tensors> evalCall(func::CallOp op, Evaluation &at) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee)
    return at.error() << "expected a function named '" << op.getCallee() << "'";
  Tensors arguments;
  for (Value operand : op.getOperands())
    arguments.push_back(at.get(operand));
  return runFunction(callee, arguments, at.frame.options,
                     at.frame.callDepth + 1);
}

void reference::addCallEvaluators(Registry &registry) {
  registry.add<func::CallOp>(evalCall);
}
