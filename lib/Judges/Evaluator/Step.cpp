//===- Step.cpp - operands, results and errors of a step ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinTypes.h"
#include "parablock/Support/RandomRounding.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

std::optional<ElementType> evaluator::getElementTypeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  if (type.isF64())
    return ElementType::F64;
  if (type.isF32())
    return ElementType::F32;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF16())
    return ElementType::F16;
  if (type.isUnsignedInteger())
    return type.isInteger(8) ? std::optional(ElementType::U8) : std::nullopt;
  if (type.isInteger(64) || type.isIndex())
    return ElementType::I64;
  if (type.isInteger(32))
    return ElementType::I32;
  if (type.isInteger(16))
    return ElementType::I16;
  if (type.isInteger(8))
    return ElementType::I8;
  if (type.isInteger(1))
    return ElementType::Bool;
  return std::nullopt;
}

LogicalResult Step::check(const llvm::Twine &what, int64_t got,
                          int64_t expected) const {
  if (got == expected)
    return success();
  return error() << "expected " << what.str() << " to be " << expected
                 << ", got " << got;
}

FailureOr<std::vector<double>>
Step::allocate(llvm::ArrayRef<int64_t> shape) const {
  // A size that a `?` hid shall not take all memory.
  constexpr int64_t most = int64_t(1) << 28;
  std::optional<int64_t> count = 1;
  for (int64_t size : shape)
    if (count)
      count = size < 0 ? std::nullopt : llvm::checkedMul(*count, size);
  if (count && *count <= most)
    return std::vector<double>(*count);
  InFlightDiagnostic diagnostic = error() << "expected a result of at most "
                                          << most << " elements, got shape [";
  llvm::interleaveComma(shape, diagnostic);
  return diagnostic << "]";
}

Array Step::finish(unsigned result, std::vector<double> values,
                   llvm::ArrayRef<int64_t> shape) const {
  ElementType type = getResultType(result);
  if (roundsResult && isFloatType(type) && !options.exactArithmetic)
    roundTo(type, values, options.roundingSeed);
  return {type, Shape(shape),
          std::make_shared<const std::vector<double>>(std::move(values))};
}

Arrays Step::share(const Array &source, llvm::ArrayRef<int64_t> shape) const {
  return {Array{getResultType(), Shape(shape), source.values}};
}

const Table &Table::get() {
  static const Table table = [] {
    Table all;
    addConstantEvaluators(all);
    addScalarEvaluators(all);
    addSoftmaxEvaluator(all);
    addTensorShapeEvaluators(all);
    addTensorSliceEvaluators(all);
    addTosaElementwiseEvaluators(all);
    addTosaMoveEvaluators(all);
    addTosaReductionEvaluators(all);
    return all;
  }();
  return table;
}

const Table::Evaluate *Table::lookup(Operation *op) const {
  static const Evaluate structured = evaluateStructured;
  if (isa<linalg::LinalgOp>(op))
    return &structured;
  auto found = entries.find(op->getName().getStringRef());
  return found == entries.end() ? nullptr : &found->second;
}
