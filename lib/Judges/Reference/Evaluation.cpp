//===- Evaluation.cpp - checks sizes and rounds results -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Support/RandomRounding.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

std::optional<ElementType> reference::getElementTypeOf(Type type) {
  if (getElementTypeOrSelf(type).isIndex())
    return ElementType::I64;
  return parablock::getElementTypeOf(type);
}

std::optional<int64_t>
reference::countElementsWithinLimit(ArrayRef<int64_t> shape) {
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : shape) {
    std::optional<int64_t> product = llvm::checkedMul(count, size);
    if (!product || *product > maxElements)
      return std::nullopt;
    count = *product;
  }
  return count;
}

bool reference::matchesType(const Tensor &tensor, Type type) {
  std::optional<ElementType> elementType = getElementTypeOf(type);
  if (!elementType || *elementType != tensor.type)
    return false;
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return tensor.shape.empty();
  return succeeded(verifyCompatibleShape(ranked.getShape(), tensor.shape));
}

std::string reference::describe(const Tensor &tensor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << getElementTypeKeyword(tensor.type) << " [";
  llvm::interleaveComma(tensor.shape, os);
  os << "]";
  return text;
}

std::string reference::formatWhole(double value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.0f", value);
  return text;
}

//===----------------------------------------------------------------------===//
// Checks of sizes hidden from the verifier by `?`
//===----------------------------------------------------------------------===//

LogicalResult Evaluation::checkSize(StringRef name, const Tensor *tensor,
                                    unsigned dim, int64_t expected,
                                    const Twine &why) const {
  if (!tensor || tensor->shape[dim] == expected)
    return success();
  return error() << "expected dimension " << dim << " of " << name << " to be "
                 << expected << " (" << why << "), got " << tensor->shape[dim];
}

LogicalResult Evaluation::checkSameShape(StringRef name, const Tensor &tensor,
                                         StringRef otherName,
                                         const Tensor &other) const {
  if (tensor.shape == other.shape)
    return success();
  return error() << "expected " << name << " to have the shape of " << otherName
                 << ", " << describe(other) << ", got " << describe(tensor);
}

LogicalResult Evaluation::checkDivides(StringRef divisorName, int64_t divisor,
                                       StringRef sizeName, int64_t size) const {
  if (divisor > 0 && size % divisor == 0)
    return success();
  return error() << "expected " << divisorName
                 << " to be a positive divisor of " << sizeName << ", " << size
                 << ", got " << divisor;
}

LogicalResult Evaluation::checkRoundsTo(StringRef name, Type type) const {
  if (!type || getElementTypeOf(type))
    return success();
  return error() << "expected " << name << " to be f64, f32, bf16 or f16, got "
                 << type;
}

FailureOr<std::vector<double>>
Evaluation::allocate(ArrayRef<int64_t> shape) const {
  std::optional<int64_t> count = countElementsWithinLimit(shape);
  if (count)
    return std::vector<double>(*count);
  InFlightDiagnostic diagnostic = error()
                                  << "expected a result of at most "
                                  << maxElements << " elements, got shape [";
  llvm::interleaveComma(shape, diagnostic);
  return diagnostic << "]";
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Tensor Evaluation::round(std::vector<double> values, ArrayRef<int64_t> shape,
                         ElementType type) const {
  if (!frame.options.exactArithmetic)
    roundTo(type, values, frame.options.roundingSeed);
  return wrap(std::move(values), shape, type);
}

Tensor Evaluation::wrap(std::vector<double> values, ArrayRef<int64_t> shape,
                        ElementType type) {
  return {type, llvm::SmallVector<int64_t>(shape),
          std::make_shared<const std::vector<double>>(std::move(values))};
}
