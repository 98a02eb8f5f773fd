//===- EvalConstant.cpp - evaluates constants -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Scalars.h"
#include "Step.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "parablock/Support/ExactIntegers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

static Array wrapNumbers(ElementType type, std::vector<double> values,
                         ArrayRef<int64_t> shape) {
  return {type, Shape(shape),
          std::make_shared<const std::vector<double>>(std::move(values))};
}

static FailureOr<Arrays> readDense(Step &step, DenseElementsAttr elements) {
  ArrayRef<int64_t> shape = elements.getType().getShape();
  FailureOr<std::vector<double>> values = step.allocate(shape);
  if (failed(values))
    return failure();
  Attribute beyond;
  auto read = [&](Attribute value) {
    std::optional<double> known = getNumber(value);
    if (!known)
      beyond = value;
    return known.value_or(0);
  };
  if (elements.isSplat())
    llvm::fill(*values, read(elements.getSplatValue<Attribute>()));
  else
    llvm::transform(elements.getValues<Attribute>(), values->begin(), read);
  if (beyond)
    return step.error() << "expected numbers that f64 holds, got " << beyond;
  return Arrays{wrapNumbers(step.getResultType(), std::move(*values), shape)};
}

/// Reads bytes that are stored after the file's text.
static FailureOr<Arrays> readResource(Step &step,
                                      DenseResourceElementsAttr elements) {
  AsmResourceBlob *blob = elements.getRawHandle().getBlob();
  if (!blob)
    return step.error() << "expected a resource '"
                        << elements.getRawHandle().getKey()
                        << "' in the file, got none";
  ArrayRef<int64_t> shape = elements.getType().getShape();
  FailureOr<std::vector<double>> values = step.allocate(shape);
  if (failed(values))
    return failure();
  ElementType type = step.getResultType();
  ArrayRef<char> data = blob->getData();
  if (data.size() != values->size() * getElementSize(type))
    return step.error() << "expected " << values->size() * getElementSize(type)
                        << " bytes in resource '"
                        << elements.getRawHandle().getKey() << "', got "
                        << data.size();
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(data.data()),
                          data.size());
  if (llvm::Error error = checkExactAsDoubles("resource", type, bytes))
    return step.error() << llvm::toString(std::move(error));
  decodeElements(type, bytes, *values);
  return Arrays{wrapNumbers(type, std::move(*values), shape)};
}

static FailureOr<Arrays> readAttribute(Step &step, Attribute value) {
  if (std::optional<double> number = getNumber(value))
    return Arrays{wrapNumbers(step.getResultType(), {*number}, {})};
  if (auto elements = dyn_cast<DenseElementsAttr>(value))
    if (elements.getElementType().isIntOrIndexOrFloat())
      return readDense(step, elements);
  if (auto elements = dyn_cast<DenseResourceElementsAttr>(value))
    return readResource(step, elements);
  return step.error() << "expected a number that f64 holds or dense elements "
                         "of such";
}

static FailureOr<Arrays> evalConstant(arith::ConstantOp op, Step &step) {
  return readAttribute(step, op.getValue());
}
static FailureOr<Arrays> evalIndexConstant(index::ConstantOp op, Step &step) {
  return readAttribute(step, op.getValueAttr());
}
static FailureOr<Arrays> evalTosaConst(tosa::ConstOp op, Step &step) {
  return readAttribute(step, op.getValues());
}

static FailureOr<Arrays> evalConstShape(tosa::ConstShapeOp op, Step &) {
  std::vector<double> sizes;
  for (const llvm::APInt &size : op.getValues().getValues<llvm::APInt>())
    sizes.push_back(size.roundToDouble(/*isSigned=*/true));
  int64_t count = sizes.size();
  return Arrays{wrapNumbers(ElementType::I64, std::move(sizes), count)};
}

void evaluator::addConstantEvaluators(Table &table) {
  table.add<arith::ConstantOp>(evalConstant);
  table.add<index::ConstantOp>(evalIndexConstant);
  table.add<tosa::ConstOp>(evalTosaConst);
  table.add<tosa::ConstShapeOp>(evalConstShape);
}
