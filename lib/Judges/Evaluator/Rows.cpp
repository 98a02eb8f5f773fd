//===- Rows.cpp - finds row forms of ops ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

/// Returns which dimension of an operand is loop `loop`, or -1 if none is; none
/// if the loop is used in another way.
static std::optional<int> findDim(AffineMap map, unsigned loop) {
  int found = -1;
  for (auto [dim, expression] : llvm::enumerate(map.getResults())) {
    if (!expression.isFunctionOfDim(loop))
      continue;
    if (found >= 0 || !isa<AffineDimExpr>(expression))
      return std::nullopt;
    found = static_cast<int>(dim);
  }
  return found;
}

static std::optional<RowForm> findStructured(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1)
    return std::nullopt;
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (output.getNumResults() == 0)
    return std::nullopt;
  auto rows = dyn_cast<AffineDimExpr>(output.getResult(0));
  if (!rows || op.getIteratorTypesArray()[rows.getPosition()] !=
                   utils::IteratorType::parallel)
    return std::nullopt;
  RowForm form;
  form.loop = rows.getPosition();
  for (AffineMap map : op.getIndexingMapsArray()) {
    std::optional<int> dim = findDim(map, form.loop);
    if (!dim)
      return std::nullopt;
    form.dims.push_back(*dim);
  }
  return form;
}

/// Operands have the rank of the result, or are numbers.
static std::optional<RowForm> findElementwise(Operation *op) {
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  bool isScalar = (dialect == "arith" || dialect == "math") &&
                  op->hasTrait<OpTrait::Elementwise>();
  bool isTosa = dialect == "tosa" &&
                op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>();
  if (!isScalar && !isTosa)
    return std::nullopt;
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  RowForm form;
  for (Type operand : op->getOperandTypes()) {
    auto type = dyn_cast<RankedTensorType>(operand);
    bool runs = type && type.getRank() == result.getRank() &&
                type.getDimSize(0) == result.getDimSize(0);
    form.dims.push_back(runs ? 0 : -1);
  }
  return form;
}

std::optional<RowForm> evaluator::findRowForm(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return std::nullopt;
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!result || result.getRank() == 0 || !result.hasStaticShape() ||
      result.getDimSize(0) == 0)
    return std::nullopt;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  std::optional<RowForm> form =
      structured ? findStructured(structured) : findElementwise(op);
  // A value is looked up by itself: it cannot be two things at once.
  if (form)
    for (unsigned i = 0; i < form->dims.size(); ++i)
      for (unsigned j = 0; j < i; ++j)
        if (op->getOperand(i) == op->getOperand(j) &&
            form->dims[i] != form->dims[j])
          return std::nullopt;
  return form;
}

static Array wrapArray(ElementType type, ArrayRef<int64_t> shape,
                       std::vector<double> values) {
  return {type, Shape(shape),
          std::make_shared<const std::vector<double>>(std::move(values))};
}

static int64_t countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

Array evaluator::decodeStored(const StoredTensor &tensor) {
  std::vector<double> values(countOf(tensor.shape));
  decodeElements(tensor.type, tensor.bytes, values);
  return wrapArray(tensor.type, tensor.shape, std::move(values));
}

Array evaluator::makeFilled(RankedTensorType type, unsigned dim, int64_t count,
                            double value) {
  Shape shape(type.getShape());
  shape[dim] = count;
  return wrapArray(*getElementTypeOf(type), shape,
                   std::vector<double>(countOf(shape), value));
}
