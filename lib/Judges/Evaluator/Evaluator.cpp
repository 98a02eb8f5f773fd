//===- Evaluator.cpp - dispatches ops and checks results ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Evaluator/Evaluator.h"

#include "Step.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

static std::string describe(const Array &array) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << getElementTypeKeyword(array.type) << " [";
  llvm::interleaveComma(array.shape, os);
  os << "]";
  return text;
}

/// Returns whether shape and element type match `type`, as far as it is static.
static bool matches(const Array &array, Type type) {
  if (getElementTypeOf(type) != array.type)
    return false;
  auto tensor = dyn_cast<RankedTensorType>(type);
  ArrayRef<int64_t> declared;
  if (tensor)
    declared = tensor.getShape();
  return succeeded(verifyCompatibleShape(declared, array.shape));
}

bool evaluator::isKnown(Operation *op) {
  return Table::get().lookup(op) != nullptr;
}

FailureOr<Arrays> evaluator::runOp(Operation *op, Step::Lookup lookup,
                                   const Options &options) {
  Step step(op, lookup, options);
  const Table::Evaluate *evaluator = Table::get().lookup(op);
  if (!evaluator)
    return op->emitOpError("is not on the list of ops that can be evaluated");
  // A shape of TOSA is read where it is used: its value is for show.
  bool isShape = op->getName().getStringRef() == "tosa.const_shape";
  for (Type type : op->getResultTypes())
    if (!isShape && !getElementTypeOf(type))
      return op->emitOpError()
             << "has a result of type " << type << ", which has no values here";
  FailureOr<Arrays> results = (*evaluator)(step);
  if (failed(results))
    return failure();
  for (auto [result, array] : llvm::zip_equal(op->getResults(), *results))
    if (!isShape && !matches(array, result.getType()))
      return op->emitOpError()
             << "expected result " << result.getResultNumber() << " to be "
             << result.getType() << ", got " << describe(array);
  return results;
}
