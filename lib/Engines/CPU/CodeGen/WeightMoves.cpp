//===- WeightMoves.cpp - panels of weights that only move -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WeightMoves.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Where elements come from
//===----------------------------------------------------------------------===//

namespace {
/// A rectangle of the value, and where it begins in one that it is made of.
struct Origin {
  int64_t firstOut, outs, firstIn, ins;
  /// The dimension that outputs are counted along, and the first indices.
  unsigned outDim = 0;
  std::array<int64_t, 2> start = {0, 0};
};

struct Piece {
  Origin origin;
  int64_t leaf, columns;

  int64_t getDistance(unsigned dim) const { return dim == 0 ? columns : 1; }
};

class Tracer {
public:
  Tracer(Type type, const llvm::SetVector<Value> &leaves)
      : type(type), leaves(leaves) {}

  /// Fails where an element is computed.
  LogicalResult trace(Value value, const Origin &origin);

  SmallVector<Piece> pieces;
  Type leafType;

private:
  LogicalResult addLeaf(Value value, const Origin &origin);
  LogicalResult traceParts(tensor::ConcatOp op, const Origin &origin);

  Type type;
  const llvm::SetVector<Value> &leaves;
};
} // namespace

LogicalResult Tracer::addLeaf(Value value, const Origin &origin) {
  auto matrix = cast<RankedTensorType>(value.getType());
  Type element = matrix.getElementType();
  if (matrix.getRank() != 2 || element.isInteger() ||
      (leafType && leafType != element))
    return failure();
  leafType = element;
  auto number = llvm::find(leaves, value) - leaves.begin();
  pieces.push_back({origin, number, matrix.getDimSize(1)});
  return success();
}

LogicalResult Tracer::traceParts(tensor::ConcatOp op, const Origin &origin) {
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
      Origin part = origin;
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

LogicalResult Tracer::trace(Value value, const Origin &origin) {
  if (leaves.contains(value))
    return addLeaf(value, origin);
  return llvm::TypeSwitch<Operation *, LogicalResult>(value.getDefiningOp())
      .Case([&](linalg::TransposeOp op) {
        if (op.getPermutation() != ArrayRef<int64_t>{1, 0})
          return failure();
        Origin turned = origin;
        turned.outDim = 1 - origin.outDim;
        std::swap(turned.start[0], turned.start[1]);
        return trace(op.getInput(), turned);
      })
      .Case([&](tensor::ExtractSliceOp op) {
        if (!op.hasUnitStride() || op.getDroppedDims().any() ||
            op.getType().getRank() != 2)
          return failure();
        Origin moved = origin;
        for (unsigned dim : {0, 1})
          moved.start[dim] += op.getStaticOffset(dim);
        return trace(op.getSource(), moved);
      })
      .Case([&](tensor::ConcatOp op) { return traceParts(op, origin); })
      .Case([&](arith::ExtFOp op) { return trace(op.getIn(), origin); })
      .Case([&](arith::TruncFOp op) {
        // Rounded once more only to the same type.
        if (getElementTypeOrSelf(op.getType()) != type)
          return failure();
        return trace(op.getIn(), origin);
      })
      .Default([](Operation *) { return failure(); });
}

std::optional<WeightMoves>
cpugen::findMoves(Value value, const llvm::SetVector<Value> &leaves,
                  const PanelLayout &layout) {
  auto matrix = cast<RankedTensorType>(value.getType());
  if (matrix.getRank() != 2 || matrix.getElementType().isInteger() ||
      layout.together > 2)
    return std::nullopt;
  Tracer tracer(matrix.getElementType(), leaves);
  if (failed(tracer.trace(value, {0, matrix.getDimSize(0), 0, layout.depth})))
    return std::nullopt;
  WeightMoves result;
  result.type = tracer.leafType;
  for (auto [number, panel] : llvm::enumerate(layout.panels)) {
    int64_t covered = 0;
    for (const Piece &piece : tracer.pieces) {
      const Origin &origin = piece.origin;
      int64_t row = panel.first - origin.firstOut;
      if (row < 0 || row + panel.count > origin.outs)
        continue;
      if (origin.firstIn % layout.together || origin.ins % layout.together)
        return std::nullopt;
      WeightMove move;
      move.panel = static_cast<int64_t>(number);
      move.leaf = piece.leaf;
      move.outDistance = piece.getDistance(origin.outDim);
      move.inDistance = piece.getDistance(1 - origin.outDim);
      move.first = origin.start[0] * piece.columns + origin.start[1] +
                   row * move.outDistance;
      move.outs = panel.count;
      move.firstIn = origin.firstIn;
      move.ins = origin.ins;
      result.moves.push_back(move);
      covered += origin.ins;
    }
    // A panel across a border of what stands side by side.
    if (covered != layout.depth)
      return std::nullopt;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {
/// Packs what one move says. A unit is an element, or a pair of inputs.
class MoveEmitter {
public:
  MoveEmitter(Code &code, const PanelLayout &layout, Type from, Type to,
              Value result)
      : code(code), layout(layout), from(from), to(to), result(result),
        inPairs(layout.together == 2) {}

  /// The place of a move, which begins at `first` of `base`.
  struct Place {
    Value base, first, outDistance, inDistance, outs, steps, to;
  };
  /// Outputs are neighbours in memory.
  void emitLines(const Place &place);
  /// Inputs are.
  void emitBlocks(const Place &place);

private:
  /// Units of `lanes` outputs, or of `lanes` steps, at an output and a step.
  Value loadOuts(const Place &place, Value out, Value step, int64_t lanes);
  Value loadSteps(const Place &place, Value out, Value step);
  Value loadUnit(const Place &place, Value out, Value step);
  Value join(Value first, Value second);
  Value getBits(Value numbers);
  void store(const Place &place, Value units, Value out, Value step);
  void storeZeros(const Place &place, Value begin, Value step);
  Value getPosition(const Place &place, Value out, Value in) {
    return code.addI(place.first,
                     code.addI(arith::MulIOp::create(code.builder, code.loc,
                                                     out, place.outDistance),
                               arith::MulIOp::create(code.builder, code.loc, in,
                                                     place.inDistance)));
  }
  Value load(const Place &place, Value position, int64_t lanes) {
    return code.load(place.base, from, position, lanes);
  }
  Value shuffle(Value a, Value b, llvm::function_ref<int64_t(int64_t)> source) {
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < code.lanes(); ++lane)
      order.push_back(source(lane));
    return vector::ShuffleOp::create(code.builder, code.loc, a, b, order);
  }
  Values transpose(Values rows);

  Code &code;
  const PanelLayout &layout;
  Type from, to;
  Value result;
  bool inPairs;
};
} // namespace

/// Elements of the packed type as bits in i32.
Value MoveEmitter::getBits(Value numbers) {
  return arith::ExtUIOp::create(
      code.builder, code.loc, code.likeType(numbers, code.builder.getI32Type()),
      toBits(code, numbers, to));
}

Value MoveEmitter::join(Value first, Value second) {
  Value low = getBits(first), high = getBits(second);
  Value shifted = arith::ShLIOp::create(code.builder, code.loc, high,
                                        code.integer(high.getType(), 16));
  return arith::OrIOp::create(code.builder, code.loc, low, shifted);
}

Value MoveEmitter::loadOuts(const Place &place, Value out, Value step,
                            int64_t lanes) {
  if (!inPairs)
    return load(place, getPosition(place, out, step), lanes);
  Value in = code.mulI(step, 2);
  return join(load(place, getPosition(place, out, in), lanes),
              load(place, getPosition(place, out, code.addI(in, 1)), lanes));
}

Value MoveEmitter::loadSteps(const Place &place, Value out, Value step) {
  int64_t lanes = code.lanes();
  if (!inPairs)
    return load(place, getPosition(place, out, step), lanes);
  Value position = getPosition(place, out, code.mulI(step, 2));
  if (from == to) {
    // Pairs lie as they are wanted.
    Value start = code.address(place.base, position, from);
    return code.loadRaw(start, code.typed(code.builder.getI32Type(), lanes),
                        code.index(0));
  }
  Value low = load(place, position, lanes),
        high = load(place, code.addI(position, lanes), lanes);
  return join(shuffle(low, high, [](int64_t lane) { return 2 * lane; }),
              shuffle(low, high, [](int64_t lane) { return 2 * lane + 1; }));
}

Value MoveEmitter::loadUnit(const Place &place, Value out, Value step) {
  return loadOuts(place, out, step, 1);
}

void MoveEmitter::store(const Place &place, Value units, Value out,
                        Value step) {
  Value at =
      code.addI(code.addI(place.to, code.mulI(step, layout.columns)), out);
  if (inPairs)
    code.storeRaw(units, result, at);
  else
    code.store(units, result, to, at);
}

/// Behind the last output.
void MoveEmitter::storeZeros(const Place &place, Value begin, Value step) {
  code.loop(begin, code.index(layout.columns), 1, [&](Value out) {
    store(place,
          inPairs ? code.integer(code.builder.getI32Type(), 0) : code.f32(0),
          out, step);
  });
}

void MoveEmitter::emitLines(const Place &place) {
  int64_t lanes = code.lanes();
  Value zero = code.index(0);
  Value whole = code.mulI(code.divI(place.outs, lanes), lanes);
  code.loop(zero, place.steps, 1, [&](Value step) {
    code.loop(zero, whole, lanes, [&](Value out) {
      store(place, loadOuts(place, out, step, lanes), out, step);
    });
    code.loop(whole, place.outs, 1, [&](Value out) {
      store(place, loadUnit(place, out, step), out, step);
    });
    storeZeros(place, place.outs, step);
  });
}

/// Swaps lanes of rows that are 1, 2, 4.. apart.
Values MoveEmitter::transpose(Values rows) {
  int64_t lanes = code.lanes();
  for (int64_t apart = 1; apart < lanes; apart *= 2) {
    Values next = rows;
    for (int64_t row = 0; row < lanes; ++row) {
      if (row & apart)
        continue;
      Value a = rows[row], b = rows[row + apart];
      next[row] = shuffle(a, b, [&](int64_t lane) {
        return lane & apart ? lanes + lane - apart : lane;
      });
      next[row + apart] = shuffle(a, b, [&](int64_t lane) {
        return lane & apart ? lanes + lane : lane + apart;
      });
    }
    rows = next;
  }
  return rows;
}

void MoveEmitter::emitBlocks(const Place &place) {
  int64_t lanes = code.lanes();
  Value zero = code.index(0);
  auto getWhole = [&](Value count) {
    return code.mulI(code.divI(count, lanes), lanes);
  };
  Value outs = getWhole(place.outs), steps = getWhole(place.steps);
  auto copyUnits = [&](Value firstOut, Value lastOut, Value firstStep) {
    code.loop(firstStep, place.steps, 1, [&](Value step) {
      code.loop(firstOut, lastOut, 1, [&](Value out) {
        store(place, loadUnit(place, out, step), out, step);
      });
    });
  };
  code.loop(zero, steps, lanes, [&](Value step) {
    code.loop(zero, outs, lanes, [&](Value out) {
      Values rows;
      for (int64_t i = 0; i < lanes; ++i)
        rows.push_back(loadSteps(place, code.addI(out, i), step));
      for (auto [i, row] : llvm::enumerate(transpose(rows)))
        store(place, row, out, code.addI(step, static_cast<int64_t>(i)));
    });
  });
  copyUnits(zero, outs, steps);
  copyUnits(outs, place.outs, zero);
  code.ifThen(code.lessI(place.outs, code.index(layout.columns)), [&] {
    code.loop(zero, place.steps, 1,
              [&](Value step) { storeZeros(place, place.outs, step); });
  });
}

void cpugen::emitMoves(Frame &frame, const WeightMoves &moves,
                       const PanelLayout &layout, Type type, Value result) {
  Code &code = frame.getCode();
  SmallVector<int64_t> numbers, starts;
  bool hasLines = false, hasBlocks = false;
  for (auto [number, move] : llvm::enumerate(moves.moves)) {
    while (static_cast<int64_t>(starts.size()) <= move.panel)
      starts.push_back(static_cast<int64_t>(number));
    for (int64_t fact : {move.leaf, move.first, move.outDistance,
                         move.inDistance, move.outs, move.firstIn, move.ins})
      numbers.push_back(fact);
    bool isLine = move.outDistance == 1;
    hasLines |= isLine;
    hasBlocks |= !isLine;
  }
  starts.push_back(static_cast<int64_t>(moves.moves.size()));
  auto makeTable = [&](ArrayRef<int64_t> entries) {
    return code.table(DenseElementsAttr::get(
        RankedTensorType::get(static_cast<int64_t>(entries.size()),
                              code.builder.getI64Type()),
        entries));
  };
  Value facts = makeTable(numbers), firsts = makeTable(starts);
  MoveEmitter emitter(code, layout, moves.type, type, result);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value panel) {
    Value start = code.mulI(panel, layout.depth * layout.columns);
    code.loop(
        code.loadI64(firsts, panel), code.loadI64(firsts, code.addI(panel, 1)),
        1, [&](Value number) {
          auto getFact = [&](int64_t fact) {
            return code.loadI64(facts, code.addI(code.mulI(number, 7), fact));
          };
          MoveEmitter::Place place;
          place.base = frame.getTensor(getFact(0));
          place.first = getFact(1);
          place.outDistance = getFact(2);
          place.inDistance = getFact(3);
          place.outs = getFact(4);
          place.steps = code.divI(getFact(6), layout.together);
          // In units.
          place.to =
              code.divI(code.addI(start, code.mulI(getFact(5), layout.columns)),
                        layout.together);
          auto emit = [&](bool isLine) -> Values {
            // The constant belongs to the region of one way alone.
            MoveEmitter::Place own = place;
            (isLine ? own.outDistance : own.inDistance) = code.index(1);
            if (isLine)
              emitter.emitLines(own);
            else
              emitter.emitBlocks(own);
            return {};
          };
          if (hasLines && hasBlocks)
            code.ifElse(
                code.equalI(place.outDistance, code.index(1)), {},
                [&] { return emit(true); }, [&] { return emit(false); });
          else
            emit(hasLines);
        });
  });
}
