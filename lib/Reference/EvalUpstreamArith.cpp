//===- EvalUpstreamArith.cpp - constants and arithmetic -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "parablock/Support/ExactIntegers.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static double toDouble(const llvm::APFloat &value) {
  llvm::APFloat wide = value;
  bool losesInfo;
  wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
               &losesInfo);
  return wide.convertToDouble();
}

/// An error where no double is that number.
static FailureOr<double> toDouble(Evaluation &at, const llvm::APInt &value,
                                  Type type) {
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  std::optional<int64_t> whole = value.trySExtValue();
  if (isUnsigned)
    whole = static_cast<int64_t>(value.getLimitedValue());
  if (whole && isExactAsDouble(*whole))
    return static_cast<double>(*whole);
  return at.error() << "expected integers that f64 holds, got "
                    << llvm::toString(value, 10, !isUnsigned);
}

static FailureOr<Tensor> evalDense(Evaluation &at, DenseElementsAttr elements) {
  ArrayRef<int64_t> shape = elements.getType().getShape();
  FailureOr<std::vector<double>> values = at.allocate(shape);
  if (failed(values))
    return failure();
  Type type = elements.getElementType();
  if (isa<FloatType>(type))
    llvm::transform(elements.getValues<llvm::APFloat>(), values->begin(),
                    [](const llvm::APFloat &value) { return toDouble(value); });
  else
    for (auto [number, value] :
         llvm::zip_equal(*values, elements.getValues<llvm::APInt>())) {
      FailureOr<double> known = toDouble(at, value, type);
      if (failed(known))
        return failure();
      number = *known;
    }
  return at.wrap(std::move(*values), shape, at.getResultType());
}

/// Bytes that stand behind the text of the file.
static FailureOr<Tensor> evalResource(Evaluation &at,
                                      DenseResourceElementsAttr elements) {
  StringRef key = elements.getRawHandle().getKey();
  AsmResourceBlob *blob = elements.getRawHandle().getBlob();
  if (!blob)
    return at.error() << "expected a resource '" << key
                      << "' in the file, got none";
  ArrayRef<int64_t> shape = elements.getType().getShape();
  FailureOr<std::vector<double>> values = at.allocate(shape);
  if (failed(values))
    return failure();
  ElementType type = at.getResultType();
  ArrayRef<char> data = blob->getData();
  size_t expected = values->size() * getElementSize(type);
  if (data.size() != expected)
    return at.error() << "expected " << expected << " bytes in resource '"
                      << key << "', got " << data.size();
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(data.data()),
                          data.size());
  if (llvm::Error error = checkExactAsDoubles("resource", type, bytes))
    return at.error() << llvm::toString(std::move(error));
  decodeElements(type, bytes, *values);
  return at.wrap(std::move(*values), shape, type);
}

static FailureOr<Tensor> evalConstant(arith::ConstantOp op, Evaluation &at) {
  TypedAttr value = op.getValue();
  if (auto number = dyn_cast<FloatAttr>(value))
    return at.wrap({toDouble(number.getValue())}, {}, at.getResultType());
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    FailureOr<double> known = toDouble(at, number.getValue(), number.getType());
    if (failed(known))
      return failure();
    return at.wrap({*known}, {}, at.getResultType());
  }
  if (auto elements = dyn_cast<DenseElementsAttr>(value))
    return evalDense(at, elements);
  if (auto elements = dyn_cast<DenseResourceElementsAttr>(value))
    return evalResource(at, elements);
  return at.error() << "expected a number or dense elements, as only these "
                       "have a meaning in the reference engine";
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Rounds float results. Integers that leave their type, or what a double
/// holds of it, are the caller's error: nothing here counts that far.
static FailureOr<Tensor> makeResult(Evaluation &at, std::vector<double> values,
                                    ArrayRef<int64_t> shape) {
  constexpr double maxWhole = 9007199254740992.0;
  ElementType type = at.getResultType();
  if (!isFloatType(type))
    for (double value : values)
      if (std::abs(value) > maxWhole || roundTo(type, value) != value)
        return at.error() << "expected a result within "
                          << getElementTypeKeyword(type) << " and 2^53, got "
                          << formatWhole(value);
  return at.round(std::move(values), shape, type);
}

/// Elementwise, on scalars or tensors.
static FailureOr<Tensor>
evalBinary(Evaluation &at, llvm::function_ref<double(double, double)> combine) {
  const Tensor &a = at.get(at.op->getOperand(0));
  const Tensor &b = at.get(at.op->getOperand(1));
  if (failed(at.checkSameShape("operand 1", b, "operand 0", a)))
    return failure();
  std::vector<double> result(a.data().size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = combine(a.data()[i], b.data()[i]);
  return makeResult(at, std::move(result), a.shape);
}

template <typename OpT> static FailureOr<Tensor> evalAdd(OpT, Evaluation &at) {
  return evalBinary(at, [](double a, double b) { return a + b; });
}
template <typename OpT>
static FailureOr<Tensor> evalSubtract(OpT, Evaluation &at) {
  return evalBinary(at, [](double a, double b) { return a - b; });
}
template <typename OpT>
static FailureOr<Tensor> evalMultiply(OpT, Evaluation &at) {
  return evalBinary(at, [](double a, double b) { return a * b; });
}

static FailureOr<Tensor> evalDivide(arith::DivFOp, Evaluation &at) {
  return evalBinary(at, [](double a, double b) { return a / b; });
}

static FailureOr<Tensor> evalDivideWhole(arith::DivUIOp op, Evaluation &at) {
  if (llvm::is_contained(at.get(op.getRhs()).data(), 0.0))
    return at.error("expected a divisor other than 0");
  return evalBinary(at, [](double a, double b) { return std::floor(a / b); });
}

/// A float or a whole number in another width of its kind.
template <typename OpT>
static FailureOr<Tensor> evalConvert(OpT op, Evaluation &at) {
  const Tensor &input = at.get(op.getIn());
  return makeResult(at, std::vector<double>(input.data()), input.shape);
}

static FailureOr<Tensor> evalTruncate(arith::TruncFOp op, Evaluation &at) {
  std::optional<arith::RoundingMode> mode = op.getRoundingmode();
  if (mode && *mode != arith::RoundingMode::to_nearest_even)
    return at.error("has no meaning in the reference engine with a rounding "
                    "mode other than to_nearest_even");
  return evalConvert(op, at);
}

void reference::addArithEvaluators(Registry &registry) {
  registry.add<arith::ConstantOp>(evalConstant);
  registry.add<arith::AddIOp>(evalAdd);
  registry.add<arith::SubIOp>(evalSubtract);
  registry.add<arith::MulIOp>(evalMultiply);
  registry.add<arith::AddFOp>(evalAdd);
  registry.add<arith::SubFOp>(evalSubtract);
  registry.add<arith::MulFOp>(evalMultiply);
  registry.add<arith::DivFOp>(evalDivide);
  registry.add<arith::DivUIOp>(evalDivideWhole);
  registry.add<arith::ExtFOp>(evalConvert);
  registry.add<arith::TruncFOp>(evalTruncate);
  registry.add<arith::IndexCastOp>(evalConvert);
}
