//===- ConvertToUpstream.cpp - StableHLO ops become upstream ops ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "parablock/StableHLO/StableHLO.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

Attribute Conversion::get(StringRef name, StringRef other) const {
  // The generic form of an op that is not registered keeps `<{..}>` apart.
  auto properties =
      dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  for (StringRef key : {name, other}) {
    if (key.empty())
      continue;
    if (Attribute found = op->getAttr(key))
      return found;
    if (properties)
      if (Attribute found = properties.get(key))
        return found;
  }
  return {};
}

SmallVector<int64_t> Conversion::readNumbers(Attribute attribute) {
  if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    return SmallVector<int64_t>(list.asArrayRef());
  if (auto list = dyn_cast_or_null<DenseBoolArrayAttr>(attribute))
    return llvm::to_vector_of<int64_t>(list.asArrayRef());
  if (auto list = dyn_cast_or_null<DenseIntElementsAttr>(attribute))
    return llvm::map_to_vector(
        list, [](const APInt &number) { return number.getSExtValue(); });
  if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
    return {number.getValue().getSExtValue()};
  return {};
}

SmallVector<int64_t> Conversion::getNumbers(StringRef name,
                                            StringRef other) const {
  return readNumbers(get(name, other));
}

Value Conversion::convert() {
  auto isNumbers = [](Value value) {
    RankedTensorType type = typeOf(value);
    return type && type.getElementType().isIntOrIndexOrFloat();
  };
  if (op->getNumResults() != 1 || !isNumbers(op->getResult(0)) ||
      !llvm::all_of(op->getOperands(), isNumbers))
    return {};
  if (Value moved = convertMove())
    return moved;
  if (Value open = convertOpen())
    return open;
  StringRef name = op->getName().stripDialect();
  if (name == "convolution")
    return convertConvolution();
  if (name == "dot_general" || name == "dot")
    return convertDotGeneral();
  if (name == "reduce")
    return convertReduce();
  return convertElementwise();
}

/// The counterpart, if it and all that it needs are valid: nothing has checked
/// the op that it is made from.
static Value convertValid(Operation *op) {
  Operation *before = op->getPrevNode();
  Value value = Conversion(op).convert();
  if (!value || value.getType() != op->getResult(0).getType())
    return {};
  ScopedDiagnosticHandler silence(op->getContext(),
                                  [](Diagnostic &) { return success(); });
  Operation *made = before ? before->getNextNode() : &op->getBlock()->front();
  for (; made != op; made = made->getNextNode())
    if (failed(verify(made)))
      return {};
  return value;
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
  if (!hasStablehlo(module))
    return success();
  module.getContext()
      ->loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                    func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
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
      if (failed(Conversion(op).convertShape()))
        return failure();
      continue;
    }
    Value value = convertValid(op);
    if (!value)
      return op->emitError()
             << "'" << op->getName()
             << "' has no counterpart that is read here: take what "
                "stablehlo-legalize-to-linalg gives";
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
  return success();
}
