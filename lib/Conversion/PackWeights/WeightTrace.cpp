//===- WeightTrace.cpp - traces weights through moves ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WeightTrace.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

bool WeightStep::isLike(const WeightStep &other) const {
  auto areLike = [](const WeightFactor &a, const WeightFactor &b) {
    return a.axis == b.axis && a.type == b.type;
  };
  if (!op || !other.op)
    return !op && !other.op && type == other.type;
  return op->getName() == other.op->getName() &&
         op->getAttrDictionary() == other.op->getAttrDictionary() &&
         type == other.type && matrix == other.matrix &&
         llvm::equal(factors, other.factors, areLike);
}

SmallVector<WeightFactor> WeightPiece::getFactors() const {
  SmallVector<WeightFactor> all;
  for (const WeightStep &step : steps)
    llvm::append_range(all, step.factors);
  return all;
}

//===----------------------------------------------------------------------===//
// Tracing
//===----------------------------------------------------------------------===//

/// The first element of the rectangle along an axis.
static int64_t getFirst(const WeightOrigin &origin, WeightAxis axis) {
  return axis == WeightAxis::Outs  ? origin.firstOut
         : axis == WeightAxis::Ins ? origin.firstIn
                                   : 0;
}

namespace {
class Tracer {
public:
  Tracer(const llvm::SetVector<Value> &leaves, Type stored)
      : leaves(leaves), stored(stored) {}

  LogicalResult trace(Value value, const WeightOrigin &origin);

  WeightTrace result;

private:
  LogicalResult addLeaf(Value value, const WeightOrigin &origin);
  LogicalResult traceParts(tensor::ConcatOp op, const WeightOrigin &origin);
  LogicalResult traceFormula(block::WeightOpInterface op,
                             const WeightOrigin &origin);
  LogicalResult traceStep(WeightStep step, Value matrix,
                          const WeightOrigin &origin);
  /// Rounding to the type of the result of `op`.
  Type getRounding(Operation *op) const {
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    return path.empty() && type == stored ? Float32Type::get(op->getContext())
                                          : type;
  }

  const llvm::SetVector<Value> &leaves;
  Type stored;
  /// The steps from where tracing is, the last one first.
  SmallVector<WeightStep> path;
};
} // namespace

LogicalResult Tracer::addLeaf(Value value, const WeightOrigin &origin) {
  auto matrix = cast<RankedTensorType>(value.getType());
  Type element = matrix.getElementType();
  if (matrix.getRank() != 2 || element.isInteger() ||
      (result.type && result.type != element))
    return failure();
  result.type = element;
  WeightPiece piece{origin, llvm::find(leaves, value) - leaves.begin(),
                    matrix.getDimSize(1),
                    SmallVector<WeightStep>(llvm::reverse(path))};
  for (WeightStep &step : piece.steps)
    for (WeightFactor &factor : step.factors)
      factor.first += getFirst(origin, factor.axis);
  auto areLike = [](const WeightStep &a, const WeightStep &b) {
    return a.isLike(b);
  };
  if (!result.pieces.empty() &&
      !llvm::equal(result.pieces.front().steps, piece.steps, areLike))
    return failure();
  result.pieces.push_back(std::move(piece));
  return success();
}

LogicalResult Tracer::traceParts(tensor::ConcatOp op,
                                 const WeightOrigin &origin) {
  auto dim = static_cast<unsigned>(op.getDim());
  bool isOfOuts = dim == origin.outDim;
  int64_t begin = 0;
  int64_t from = origin.start[dim],
          to = from + (isOfOuts ? origin.outs : origin.ins);
  for (Value input : op.getInputs()) {
    int64_t end =
        begin + cast<RankedTensorType>(input.getType()).getDimSize(dim);
    int64_t first = std::max(begin, from), last = std::min(end, to);
    if (first < last) {
      WeightOrigin part = origin;
      part.start[dim] = first - begin;
      (isOfOuts ? part.firstOut : part.firstIn) += first - from;
      (isOfOuts ? part.outs : part.ins) = last - first;
      if (failed(trace(input, part)))
        return failure();
    }
    begin = end;
  }
  return success();
}

LogicalResult Tracer::traceStep(WeightStep step, Value matrix,
                                const WeightOrigin &origin) {
  path.push_back(std::move(step));
  LogicalResult traced = trace(matrix, origin);
  path.pop_back();
  return traced;
}

LogicalResult Tracer::traceFormula(block::WeightOpInterface op,
                                   const WeightOrigin &origin) {
  if (op.hasSum() || op.readsPositions())
    return failure();
  WeightStep step;
  step.op = op;
  step.type = getRounding(op);
  Value matrix;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getOperandMap(operand.getOperandNumber());
    if (map.isIdentity() && map.getNumResults() == 2 && !matrix) {
      matrix = operand.get();
      step.matrix = operand.getOperandNumber();
      continue;
    }
    if (map.getNumResults() != 1)
      return failure();
    WeightAxis axis = WeightAxis::None;
    int64_t start = 0;
    if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(0))) {
      axis = dim.getPosition() == origin.outDim ? WeightAxis::Outs
                                                : WeightAxis::Ins;
      // Start of the whole value; the next traced value may be a part.
      start = origin.start[dim.getPosition()] - getFirst(origin, axis);
    } else if (map.getResult(0) != getAffineConstantExpr(0, map.getContext())) {
      return failure();
    }
    std::optional<WeightFactor> factor =
        traceFactor(operand.get(), axis, start, leaves);
    if (!factor)
      return failure();
    step.factors.push_back(*factor);
  }
  return matrix ? traceStep(std::move(step), matrix, origin) : failure();
}

LogicalResult Tracer::trace(Value value, const WeightOrigin &origin) {
  if (leaves.contains(value))
    return addLeaf(value, origin);
  return llvm::TypeSwitch<Operation *, LogicalResult>(value.getDefiningOp())
      .Case([&](linalg::TransposeOp op) {
        if (op.getPermutation() != ArrayRef<int64_t>{1, 0})
          return failure();
        WeightOrigin turned = origin;
        turned.outDim = 1 - origin.outDim;
        std::swap(turned.start[0], turned.start[1]);
        return trace(op.getInput(), turned);
      })
      .Case([&](tensor::ExtractSliceOp op) {
        if (!op.hasUnitStride() || op.getDroppedDims().any() ||
            op.getType().getRank() != 2)
          return failure();
        WeightOrigin moved = origin;
        for (unsigned dim : {0, 1})
          moved.start[dim] += op.getStaticOffset(dim);
        return trace(op.getSource(), moved);
      })
      .Case([&](tensor::ConcatOp op) { return traceParts(op, origin); })
      .Case([&](arith::ExtFOp op) { return trace(op.getIn(), origin); })
      .Case([&](arith::TruncFOp op) {
        Type rounding = getRounding(op);
        if (rounding.isF32())
          return trace(op.getIn(), origin);
        WeightStep step;
        step.type = rounding;
        return traceStep(std::move(step), op.getIn(), origin);
      })
      .Case(
          [&](block::WeightOpInterface op) { return traceFormula(op, origin); })
      .Default([](Operation *) { return failure(); });
}

std::optional<WeightTrace>
cpugen::traceWeight(Value value, const WeightOrigin &origin,
                    const llvm::SetVector<Value> &leaves, Type stored) {
  Tracer tracer(leaves, stored);
  if (failed(tracer.trace(value, origin)))
    return std::nullopt;
  return std::move(tracer.result);
}

std::optional<WeightFactor>
cpugen::traceFactor(Value vector, WeightAxis axis, int64_t start,
                    const llvm::SetVector<Value> &leaves) {
  auto type = cast<RankedTensorType>(vector.getType());
  if (type.getRank() != 1 || type.getElementType().isInteger())
    return std::nullopt;
  if (leaves.contains(vector))
    return WeightFactor{llvm::find(leaves, vector) - leaves.begin(), start,
                        axis, type.getElementType()};
  Operation *op = vector.getDefiningOp();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
      slice && slice.hasUnitStride() && slice.getSourceType().getRank() == 1)
    return traceFactor(slice.getSource(), axis,
                       start + slice.getStaticOffset(0), leaves);
  if (auto widened = dyn_cast<arith::ExtFOp>(op))
    return traceFactor(widened.getIn(), axis, start, leaves);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Value cpugen::loadFactor(Code &code, const WeightFactor &factor, Value base,
                         Value first, Value out, Value in, WeightAxis axis,
                         int64_t lanes) {
  Value at = factor.axis == WeightAxis::Outs  ? code.addI(first, out)
             : factor.axis == WeightAxis::Ins ? code.addI(first, in)
                                              : first;
  return code.load(base, factor.type, at, factor.axis == axis ? lanes : 1);
}

Value PieceReader::getPosition(const Place &place, Value out, Value in) const {
  return code.addI(place.first, code.addI(code.mulI(out, place.outDistance),
                                          code.mulI(in, place.inDistance)));
}

Value PieceReader::load(const Place &place, Value out, Value in,
                        WeightAxis axis, int64_t lanes) const {
  Value number =
      code.load(place.base, type, getPosition(place, out, in), lanes);
  size_t passed = 0;
  for (const WeightStep &step : steps) {
    if (step.op) {
      auto find = [&](unsigned operand) {
        if (operand == step.matrix)
          return number;
        size_t index = operand < step.matrix ? operand : operand - 1;
        auto [base, first] = place.factors[passed + index];
        return loadFactor(code, step.factors[index], base, first, out, in, axis,
                          lanes);
      };
      OperandMath math(code, find);
      block::WeightOpInterface op = step.op;
      number = op.buildElement(math, /*sum=*/{});
    }
    number = code.round(number, step.type);
    passed += step.factors.size();
  }
  return number;
}
