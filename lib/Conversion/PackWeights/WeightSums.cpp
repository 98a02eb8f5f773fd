//===- WeightSums.cpp - sums rows or columns of weights -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WeightSums.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Vectors of sums held in registers at once: each needs two of f64, and there
/// are sixteen.
static constexpr int64_t kVectorsTogether = 4;

int64_t cpugen::countSummands(block::WeightOpInterface op) {
  unsigned loop = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, place] : llvm::enumerate(
             op.getOperandMap(operand.getOperandNumber()).getResults()))
      if (place.isFunctionOfDim(loop))
        return cast<RankedTensorType>(operand.get().getType()).getDimSize(dim);
  llvm_unreachable("no operand is summed");
}

namespace {
/// An operand of the formula of a sum: a matrix in one piece, or a vector.
struct Source {
  std::optional<WeightPiece> matrix;
  Type type;
  WeightFactor vector;
};

class SumTracer {
public:
  SumTracer(block::WeightOpInterface op, const llvm::SetVector<Value> &leaves)
      : op(op), leaves(leaves),
        sums(cast<RankedTensorType>(op->getResult(0).getType()).getDimSize(0)),
        summands(countSummands(op)) {}

  LogicalResult trace();

  SmallVector<Source> sources;
  /// The axis whose elements are adjacent in all matrices.
  WeightAxis axis = WeightAxis::None;

private:
  LogicalResult traceMatrix(Value value, unsigned outDim);
  LogicalResult traceVector(Value value, AffineExpr place);

  block::WeightOpInterface op;
  const llvm::SetVector<Value> &leaves;
  int64_t sums, summands;
};
} // namespace

LogicalResult SumTracer::traceMatrix(Value value, unsigned outDim) {
  std::optional<WeightTrace> trace = traceWeight(
      value, {0, sums, 0, summands, outDim}, leaves, /*stored=*/nullptr);
  if (!trace || trace->pieces.size() != 1)
    return failure();
  const WeightPiece &piece = trace->pieces.front();
  WeightAxis own =
      piece.getOutDistance() == 1 ? WeightAxis::Outs : WeightAxis::Ins;
  if (axis != WeightAxis::None && axis != own)
    return failure();
  axis = own;
  sources.push_back({piece, trace->type, {}});
  return success();
}

LogicalResult SumTracer::traceVector(Value value, AffineExpr place) {
  auto loop = dyn_cast<AffineDimExpr>(place);
  if (!loop)
    return failure();
  std::optional<WeightFactor> vector = traceFactor(
      value, loop.getPosition() == 0 ? WeightAxis::Outs : WeightAxis::Ins,
      /*start=*/0, leaves);
  if (!vector)
    return failure();
  sources.push_back({std::nullopt, {}, *vector});
  return success();
}

LogicalResult SumTracer::trace() {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getOperandMap(operand.getOperandNumber());
    LogicalResult traced = failure();
    if (map.getNumResults() == 1)
      traced = traceVector(operand.get(), map.getResult(0));
    else if (map.getNumResults() == 2 && map.isPermutation())
      traced = traceMatrix(operand.get(), map.isIdentity() ? 0 : 1);
    if (failed(traced))
      return failure();
  }
  return success(axis != WeightAxis::None);
}

namespace {
class SumEmitter {
public:
  SumEmitter(Frame &frame, block::WeightOpInterface op, const SumTracer &tracer,
             Value result);

  void emit();

private:
  /// The sums [first, first + count), side by side or one by one.
  void emitOuts(Value first, Value count);
  void emitRows(Value first, Value count);
  /// Computes `vectors` of `lanes` sums, at a distance of `lanes`.
  void sumSideBySide(Value out, int64_t lanes, int64_t vectors);
  void sumRows(Value out, int64_t rows);
  /// `lanes` numbers that are to be added up, in f64.
  Value loadSummands(Value out, Value in, WeightAxis along, int64_t lanes);
  Value load(unsigned operand, Value out, Value in, WeightAxis along,
             int64_t lanes);
  Value add(Value sum, Value summand) {
    return arith::AddFOp::create(code.builder, code.loc, sum, summand);
  }
  Value makeZeros(int64_t lanes) {
    return code.real(code.typed(code.builder.getF64Type(), lanes), 0);
  }
  /// Applies the rest of the formula to sums in f64.
  void store(Value sums, Value out, int64_t lanes);
  /// Calls `body` in steps of `step` for all whole ones starting at `from`;
  /// returns where they end.
  Value forWhole(Value from, Value to, int64_t step,
                 llvm::function_ref<void(Value)> body) {
    Value end =
        code.addI(from, code.mulI(code.divI(code.subI(to, from), step), step));
    code.loop(from, end, step, body);
    return end;
  }

  Frame &frame;
  Code &code;
  block::WeightOpInterface op;
  const SumTracer &tracer;
  Value result;
  Type element;
  int64_t sums, summands;
  /// The operands, in order.
  SmallVector<PieceReader::Place> places;
};
} // namespace

SumEmitter::SumEmitter(Frame &frame, block::WeightOpInterface op,
                       const SumTracer &tracer, Value result)
    : frame(frame), code(frame.getCode()), op(op), tracer(tracer),
      result(result), element(getElementTypeOrSelf(op->getResult(0).getType())),
      sums(cast<RankedTensorType>(op->getResult(0).getType()).getDimSize(0)),
      summands(countSummands(op)) {
  auto getPointer = [&](int64_t leaf) {
    return frame.getTensor(static_cast<unsigned>(leaf));
  };
  for (const Source &source : tracer.sources) {
    PieceReader::Place &place = places.emplace_back();
    if (!source.matrix) {
      place.base = getPointer(source.vector.leaf);
      place.first = code.index(source.vector.first);
      continue;
    }
    place.base = getPointer(source.matrix->leaf);
    place.first = code.index(source.matrix->getFirst());
    place.outDistance = code.index(source.matrix->getOutDistance());
    place.inDistance = code.index(source.matrix->getInDistance());
    for (const WeightFactor &factor : source.matrix->getFactors())
      place.factors.push_back(
          {getPointer(factor.leaf), code.index(factor.first)});
  }
}

Value SumEmitter::load(unsigned operand, Value out, Value in, WeightAxis along,
                       int64_t lanes) {
  const Source &source = tracer.sources[operand];
  const PieceReader::Place &place = places[operand];
  if (!source.matrix)
    return loadFactor(code, source.vector, place.base, place.first, out, in,
                      along, lanes);
  PieceReader reader(code, source.matrix->steps, source.type);
  return reader.load(place, out, in, along, lanes);
}

Value SumEmitter::loadSummands(Value out, Value in, WeightAxis along,
                               int64_t lanes) {
  auto find = [&](unsigned operand) {
    return load(operand, out, in, along, lanes);
  };
  OperandMath math(code, find);
  return arith::ExtFOp::create(code.builder, code.loc,
                               code.typed(code.builder.getF64Type(), lanes),
                               op.buildSummand(math));
}

void SumEmitter::store(Value sums, Value out, int64_t lanes) {
  Value narrow = arith::TruncFOp::create(code.builder, code.loc,
                                         code.f32Type(lanes), sums);
  auto find = [&](unsigned operand) {
    return load(operand, out, /*in=*/{}, WeightAxis::Outs, lanes);
  };
  OperandMath math(code, find);
  code.store(op.buildElement(math, narrow), result, element, out);
}

void SumEmitter::sumSideBySide(Value out, int64_t lanes, int64_t vectors) {
  SmallVector<Value> outs;
  for (int64_t v = 0; v < vectors; ++v)
    outs.push_back(code.addI(out, v * lanes));
  Values zeros(vectors, makeZeros(lanes));
  Values found =
      code.loop(code.index(0), code.index(summands), 1, zeros,
                [&](Value in, ValueRange sums) {
                  Values next;
                  for (auto [place, sum] : llvm::zip_equal(outs, sums))
                    next.push_back(add(
                        sum, loadSummands(place, in, WeightAxis::Outs, lanes)));
                  return next;
                });
  for (auto [place, sum] : llvm::zip_equal(outs, found))
    store(sum, place, lanes);
}

void SumEmitter::emitOuts(Value first, Value count) {
  int64_t lanes = code.lanes();
  Value end = code.addI(first, count);
  const std::pair<int64_t, int64_t> shapes[] = {
      {lanes, kVectorsTogether}, {lanes, 1}, {1, 1}};
  for (const auto &shape : shapes) {
    int64_t step = shape.first * shape.second;
    first = forWhole(first, end, step, [&](Value out) {
      sumSideBySide(out, shape.first, shape.second);
    });
    // There is no remainder for any item.
    if (sums % step == 0)
      return;
  }
}

void SumEmitter::sumRows(Value out, int64_t rows) {
  int64_t lanes = code.lanes();
  SmallVector<Value> outs;
  for (int64_t row = 0; row < rows; ++row)
    outs.push_back(code.addI(out, row));
  auto addAll = [&](Value from, Value to, int64_t width,
                    const Values &initial) {
    return code.loop(from, to, width, initial, [&](Value in, ValueRange sums) {
      Values next;
      for (auto [place, sum] : llvm::zip_equal(outs, sums))
        next.push_back(
            add(sum, loadSummands(place, in, WeightAxis::Ins, width)));
      return next;
    });
  };
  Value whole = code.index(summands / lanes * lanes);
  Values found =
      addAll(code.index(0), whole, lanes, Values(rows, makeZeros(lanes)));
  for (Value &sum : found)
    sum = code.sum(sum);
  found = addAll(whole, code.index(summands), 1, found);
  for (auto [place, sum] : llvm::zip_equal(outs, found))
    store(sum, place, 1);
}

void SumEmitter::emitRows(Value first, Value count) {
  Value end = code.addI(first, count);
  for (int64_t rows : {kVectorsTogether, int64_t(1)}) {
    first = forWhole(first, end, rows, [&](Value out) { sumRows(out, rows); });
    if (sums % rows == 0)
      return;
  }
}

void SumEmitter::emit() {
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value item) {
    Value first = code.mulI(item, kSumsTogether);
    Value count = code.subI(
        code.minI(code.addI(first, kSumsTogether), code.index(sums)), first);
    if (tracer.axis == WeightAxis::Outs)
      emitOuts(first, count);
    else
      emitRows(first, count);
  });
}

bool cpugen::emitTracedSums(Frame &frame, block::WeightOpInterface op,
                            const llvm::SetVector<Value> &leaves,
                            Value result) {
  SumTracer tracer(op, leaves);
  if (failed(tracer.trace()))
    return false;
  SumEmitter(frame, op, tracer, result).emit();
  return true;
}
