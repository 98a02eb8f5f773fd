//===- ConvertToUpstream.cpp - pass and driver of the conversion ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "KnownNames.h"
#include "Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Frontends/StableHLO/Passes.h"
#include "parablock/Frontends/StableHLO/StableHLO.h"
#include "llvm/ADT/StringSwitch.h"

namespace parablock::hlo {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOUPSTREAM
#include "parablock/Frontends/StableHLO/Passes.h.inc"
} // namespace parablock::hlo

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

/// The counterpart of an op with one result, or null.
static Value convertSingle(Operation *op) {
  if (Value moved = convertMove(op))
    return moved;
  if (Value open = convertOpen(op))
    return open;
  StringRef name = op->getName().stripDialect();
  if (name == "convolution")
    return convertConvolution(op);
  if (name == "dot_general" || name == "dot")
    return convertDotGeneral(op);
  if (name == "reduce")
    return convertReduce(op);
  if (name == "scatter")
    return convertScatter(op);
  if (name == "ragged_dot")
    return convertRaggedDot(op);
  if (name == "reduce_window")
    return convertCumulative(op);
  return convertElementwise(op);
}

/// The counterparts of all results, or none.
static SmallVector<Value> convert(Operation *op) {
  auto isNumbers = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getElementType().isIntOrIndexOrFloat();
  };
  if (!llvm::all_of(op->getResults(), isNumbers) ||
      !llvm::all_of(op->getOperands(), isNumbers))
    return {};
  if (op->getName().getStringRef() == "chlo.top_k")
    return convertTopK(op);
  if (op->getName().getStringRef() == "stablehlo.sort")
    return convertSort(op);
  Value only = op->getNumResults() == 1 ? convertSingle(op) : Value();
  return only ? SmallVector<Value>{only} : SmallVector<Value>();
}

/// Returns the error of the first invalid op from `made` to `last`, empty if
/// all are valid: their source op has not been verified.
static std::string findFault(Operation *made, Operation *last) {
  std::string fault;
  ScopedDiagnosticHandler keep(last->getContext(), [&](Diagnostic &diagnostic) {
    if (fault.empty())
      fault = diagnostic.str();
    return success();
  });
  for (; made != last; made = made->getNextNode())
    if (failed(verify(made)))
      return fault;
  return "";
}

/// Returns how to go on without a counterpart of a known op.
static StringRef getAdvice(Operation *op) {
  // stablehlo-legalize-to-linalg has none for these either.
  return llvm::StringSwitch<StringRef>(op->getName().stripDialect())
      .Case("sort", "sort vectors by signed integers, or use chlo.top_k")
      .Case("scatter",
            "put or add whole rows at places of the first dimension, and add "
            "floats in f32 or f64")
      .Case("ragged_dot", "use groups of rows of a matrix, and a stack of "
                          "matrices of the same floats")
      .Case("reduce_window", "take sums of the integers of a vector up to each "
                             "of them")
      .Default("take what stablehlo-legalize-to-linalg gives");
}

/// Returns a type with unsigned integers that `op` has, which arith ops reject,
/// or null.
static Type findUnsigned(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (getElementTypeOrSelf(type).isUnsignedInteger())
        return type;
  return {};
}

/// Returns the counterparts, if they and all ops that they need are valid.
/// Fails, with an error at the op: an invalid op is not an unsupported one.
static FailureOr<SmallVector<Value>> convertValid(Operation *op) {
  Operation *before = op->getPrevNode();
  bool isRefused = false;
  SmallVector<Value> values;
  {
    ScopedDiagnosticHandler watch(
        op->getContext(), [&](Diagnostic &diagnostic) {
          isRefused |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
          return failure();
        });
    values = convert(op);
  }
  if (isRefused)
    return failure();
  if (values.empty()) {
    std::string advice = suggestName(op->getName().getDialectNamespace(),
                                     op->getName().stripDialect());
    if (advice.empty())
      advice = (": " + getAdvice(op)).str();
    return op->emitError() << "'" << op->getName()
                           << "' has no counterpart that is read here"
                           << advice;
  }
  auto type = FunctionType::get(op->getContext(), op->getOperandTypes(),
                                op->getResultTypes());
  Operation *made = before ? before->getNextNode() : &op->getBlock()->front();
  std::string fault = findFault(made, op);
  if (Type unread = fault.empty() ? Type() : findUnsigned(op))
    return op->emitError() << "'" << op->getName()
                           << "' is not implemented for " << unread
                           << ": convert to signed integers before the export";
  if (!fault.empty())
    return op->emitError() << "'" << op->getName() << "' is not valid as "
                           << type << ": " << fault;
  for (auto [value, result] : llvm::zip_equal(values, op->getResults()))
    if (value.getType() != result.getType())
      return op->emitError()
             << "'" << op->getName() << "' is not valid as " << type
             << ": expected a result of " << value.getType();
  return values;
}

bool hlo::isStablehlo(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "stablehlo" || dialect == "chlo";
}

static bool hasStablehlo(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isStablehlo(op) || isShape(op) ? WalkResult::interrupt()
                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult hlo::convertToUpstream(ModuleOp module) {
  if (failed(readGlobals(module)))
    return failure();
  if (!hasStablehlo(module))
    return success();
  inlineAssumptions(module);
  nameSizes(module);
  rewriteCalls(module);
  if (failed(unrollLoops(module)) || failed(splitComplex(module)))
    return failure();
  SmallVector<Operation *> ops;
  // Ops of reducers go with the op that has them.
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isStablehlo(op) && !isShape(op))
      return WalkResult::advance();
    ops.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *op : ops) {
    if (isShape(op)) {
      if (failed(convertSizeList(op)))
        return failure();
      continue;
    }
    FailureOr<SmallVector<Value>> values = convertValid(op);
    if (failed(values))
      return failure();
    op->replaceAllUsesWith(*values);
    op->erase();
  }
  return success();
}

LogicalResult hlo::readAsUpstream(ModuleOp module) {
  if (!hasStablehlo(module) && !hasGlobals(module))
    return success();
  PassManager manager(module.getContext());
  manager.addPass(createConvertStablehloToUpstream());
  return manager.run(module);
}

namespace {
struct ConvertStablehloToUpstream
    : public hlo::impl::ConvertStablehloToUpstreamBase<
          ConvertStablehloToUpstream> {
  void runOnOperation() final {
    if (failed(hlo::convertToUpstream(getOperation())))
      signalPassFailure();
  }
};
} // namespace
