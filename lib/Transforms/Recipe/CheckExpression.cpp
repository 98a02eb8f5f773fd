//===- CheckExpression.cpp - types of operations --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CheckExpression.h"

#include "parablock/Support/SafeTensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace parablock;
using namespace parablock::recipe;
using llvm::createStringError;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// Gives what no file has the bytes of: a few words of a recipe must not take
/// all memory.
static Error checkMade(const Expression &draft) {
  constexpr uint64_t mostBytes = uint64_t(1) << 30;
  if (countBytes(draft.type.element, draft.type.shape).value_or(0) <= mostBytes)
    return Error::success();
  return createStringError("expected at most " + Twine(mostBytes) +
                           " bytes of one value, got shape " +
                           formatShape(draft.type.shape));
}

static Error checkConcat(Expression &draft) {
  TensorType type = draft.operands.front()->type;
  int64_t rank = type.shape.size();
  if (draft.dim < 0 || draft.dim >= rank)
    return createStringError("expected dim to be one of " + Twine(rank) +
                             " dimensions, got " + Twine(draft.dim));
  int64_t sum = 0;
  for (const ExpressionPtr &operand : draft.operands) {
    TensorType other = operand->type;
    int64_t size =
        other.shape.size() == type.shape.size() ? other.shape[draft.dim] : 0;
    if (llvm::AddOverflow(sum, size, sum))
      return createStringError("expected sizes whose sum is a size");
    if (other.shape.size() == type.shape.size())
      other.shape[draft.dim] = type.shape[draft.dim];
    if (other != type)
      return createStringError("expected operands of type " + formatType(type) +
                               " but for dimension " + Twine(draft.dim) +
                               ", got " + formatType(operand->type));
  }
  type.shape[draft.dim] = sum;
  draft.type = type;
  return Error::success();
}

static Error checkSlice(Expression &draft) {
  const TensorType &from = draft.operands.front()->type;
  size_t rank = from.shape.size();
  draft.type.element = from.element;
  if (draft.offsets.size() != rank || draft.strides.size() != rank ||
      draft.type.shape.size() != rank)
    return createStringError(
        "expected " + Twine(rank) + " offsets, sizes and strides, got " +
        Twine(draft.offsets.size()) + ", " + Twine(draft.type.shape.size()) +
        " and " + Twine(draft.strides.size()));
  for (size_t i = 0; i < rank; ++i) {
    int64_t offset = draft.offsets[i], size = draft.type.shape[i];
    int64_t stride = draft.strides[i], whole = from.shape[i];
    bool inside = offset >= 0 && size >= 0 && stride >= 1 && offset <= whole;
    if (inside && size > 0)
      inside = offset < whole && size - 1 <= (whole - 1 - offset) / stride;
    if (!inside)
      return createStringError("expected a slice within size " + Twine(whole) +
                               " of dimension " + Twine(i) + ", got offset " +
                               Twine(offset) + ", size " + Twine(size) +
                               " and stride " + Twine(stride));
  }
  return Error::success();
}

static Error checkReshape(Expression &draft) {
  const TensorType &from = draft.operands.front()->type;
  draft.type.element = from.element;
  std::optional<uint64_t> count = countElements(draft.type.shape);
  if (!count || *count != *countElements(from.shape))
    return createStringError("expected a shape with as many elements as " +
                             formatShape(from.shape) + ", got " +
                             formatShape(draft.type.shape));
  return Error::success();
}

static Error checkTranspose(Expression &draft) {
  const TensorType &from = draft.operands.front()->type;
  size_t rank = from.shape.size();
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : draft.permutation)
    if (dim >= 0 && dim < static_cast<int64_t>(rank))
      seen.set(dim);
  if (draft.permutation.size() != rank || !seen.all())
    return createStringError("expected a permutation of " + Twine(rank) +
                             " dimensions, got " +
                             formatShape(draft.permutation));
  draft.type.element = from.element;
  draft.type.shape.clear();
  for (int64_t dim : draft.permutation)
    draft.type.shape.push_back(from.shape[dim]);
  return Error::success();
}

/// The operand's dimensions keep their order.
static Error checkBroadcast(Expression &draft) {
  const TensorType &from = draft.operands.front()->type;
  draft.type.element = from.element;
  int64_t last = -1;
  bool fits = draft.permutation.size() == from.shape.size();
  for (size_t i = 0; fits && i < from.shape.size(); ++i) {
    int64_t dim = draft.permutation[i];
    fits = dim > last && dim < static_cast<int64_t>(draft.type.shape.size()) &&
           draft.type.shape[dim] == from.shape[i];
    last = dim;
  }
  if (!fits)
    return createStringError(
        "expected dims of " + formatShape(draft.type.shape) +
        " that have the sizes of " + formatShape(from.shape) +
        ", in order, got " + formatShape(draft.permutation));
  return checkMade(draft);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static Error expectVector(StringRef what, const ExpressionPtr &operand,
                          int64_t size) {
  if (!operand ||
      (operand->type.shape.size() == 1 && operand->type.shape.front() == size))
    return Error::success();
  return createStringError("expected the " + what + " to be of shape [" +
                           Twine(size) + "], got " +
                           formatShape(operand->type.shape));
}

static Error expectMatrix(StringRef what, const Expression &operand) {
  if (operand.type.shape.size() == 2)
    return Error::success();
  return createStringError("expected the " + what + " to be a matrix, got " +
                           formatType(operand.type));
}

static Error expectFinite(StringRef what, double number) {
  if (std::isfinite(number))
    return Error::success();
  return createStringError("expected " + what + " to be finite");
}

static Error expectFloat(const TensorType &type) {
  if (isFloatType(type.element))
    return Error::success();
  return createStringError("expected a float type, got " + formatType(type));
}

static Error checkFoldGain(Expression &draft) {
  const Expression &weight = *draft.operands[0];
  draft.type = weight.type;
  if (Error error = expectMatrix("weight", weight))
    return error;
  return expectVector("gain", draft.operands[1], weight.type.shape[1]);
}

static Error checkFoldBias(Expression &draft) {
  const Expression &weight = *draft.operands[0];
  if (Error error = expectMatrix("weight", weight))
    return error;
  draft.type.shape = {weight.type.shape[0]};
  if (Error error =
          expectVector("norm's bias", draft.operands[1], weight.type.shape[1]))
    return error;
  return expectVector("bias", draft.operands[2], weight.type.shape[0]);
}

static Error checkFoldScale(Expression &draft) {
  const Expression &weight = *draft.operands[0];
  const ExpressionPtr &gain = draft.operands[1];
  draft.type = weight.type;
  size_t rank = weight.type.shape.size();
  if (rank != 1 && rank != 2)
    return createStringError("expected a matrix or a vector, got " +
                             formatType(weight.type));
  if (Error error = expectFinite("factor", draft.factor))
    return error;
  bool isScalar =
      gain && gain->type.shape.size() == 1 && gain->type.shape.front() == 1;
  return expectVector("gain", gain, isScalar ? 1 : weight.type.shape[0]);
}

static Error checkWeightSums(Expression &draft) {
  const Expression &weight = *draft.operands[0];
  if (Error error = expectMatrix("weight", weight))
    return error;
  draft.type.shape = {weight.type.shape[0]};
  return Error::success();
}

static Error checkBiasSum(Expression &draft) {
  const TensorType &first = draft.operands.front()->type;
  if (first.shape.size() != 1)
    return createStringError("expected vectors, got " + formatType(first));
  draft.type.shape = first.shape;
  for (const ExpressionPtr &bias : draft.operands)
    if (Error error = expectVector("bias", bias, first.shape[0]))
      return error;
  return Error::success();
}

static Error checkReparam(Expression &draft) {
  const Expression &delta = *draft.operands[0];
  const ExpressionPtr &initial = draft.operands[1];
  draft.type = delta.type;
  if (Error error = expectMatrix("change", delta))
    return error;
  if (initial && initial->type.shape != delta.type.shape)
    return createStringError("expected a start of shape " +
                             formatShape(delta.type.shape) + ", got " +
                             formatShape(initial->type.shape));
  if (!initial && delta.type.shape[0] != delta.type.shape[1])
    return createStringError("expected a square matrix, got " +
                             formatType(delta.type));
  if (Error error = expectFinite("skip", draft.skip))
    return error;
  return expectFinite("residual", draft.residual);
}

static Error checkSplat(const Expression &draft) {
  if (Error error = checkMade(draft))
    return error;
  return expectFinite("value", draft.value);
}

static Error checkMap(Expression &draft) {
  unsigned count = getNumOperands(draft.function);
  if (draft.operands.size() != count)
    return createStringError("expected " + Twine(count) + " operands of " +
                             getFunctionName(draft.function) + ", got " +
                             Twine(draft.operands.size()));
  draft.type.shape = draft.operands.front()->type.shape;
  for (const ExpressionPtr &operand : draft.operands)
    if (operand->type.shape != draft.type.shape)
      return createStringError("expected operands of one shape, got " +
                               formatShape(draft.type.shape) + " and " +
                               formatShape(operand->type.shape));
  return Error::success();
}

static Error inferShape(Expression &draft) {
  switch (draft.operation) {
  case Operation::Source:
    return Error::success();
  case Operation::Splat:
    return checkSplat(draft);
  case Operation::Concat:
    return checkConcat(draft);
  case Operation::Slice:
    return checkSlice(draft);
  case Operation::Reshape:
    return checkReshape(draft);
  case Operation::Transpose:
    return checkTranspose(draft);
  case Operation::Broadcast:
    return checkBroadcast(draft);
  case Operation::Map:
    return checkMap(draft);
  case Operation::Convert:
    draft.type.shape = draft.operands.front()->type.shape;
    return Error::success();
  case Operation::FoldGain:
    return checkFoldGain(draft);
  case Operation::FoldBias:
    return checkFoldBias(draft);
  case Operation::FoldScale:
    return checkFoldScale(draft);
  case Operation::WeightSums:
    return checkWeightSums(draft);
  case Operation::BiasSum:
    return checkBiasSum(draft);
  case Operation::Reparam:
    return checkReparam(draft);
  }
  llvm_unreachable("unknown operation");
}

Error recipe::inferType(Expression &draft) {
  if (draft.operation >= Operation::Convert) {
    for (const ExpressionPtr &operand : draft.operands)
      if (operand)
        if (Error error = expectFloat(operand->type))
          return error;
  }
  if (Error error = inferShape(draft))
    return error;
  return draft.operation >= Operation::Convert ? expectFloat(draft.type)
                                               : Error::success();
}
