//===- WeightMoves.cpp - packs panels by vector moves ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WeightMoves.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

std::optional<WeightMoves>
cpugen::findMoves(Value value, const llvm::SetVector<Value> &leaves,
                  const PanelLayout &layout) {
  auto matrix = cast<RankedTensorType>(value.getType());
  if (matrix.getRank() != 2 || matrix.getElementType().isInteger() ||
      layout.together > 2)
    return std::nullopt;
  std::optional<WeightTrace> trace =
      traceWeight(value, {0, matrix.getDimSize(0), 0, layout.depth}, leaves,
                  matrix.getElementType());
  if (!trace)
    return std::nullopt;
  WeightMoves result;
  result.type = trace->type;
  result.steps = trace->pieces.front().steps;
  for (auto [number, panel] : llvm::enumerate(layout.panels)) {
    int64_t covered = 0;
    for (const WeightPiece &piece : trace->pieces) {
      const WeightOrigin &origin = piece.origin;
      int64_t row = panel.first - origin.firstOut;
      if (row < 0 || row + panel.count > origin.outs)
        continue;
      if (origin.firstIn % layout.together || origin.ins % layout.together)
        return std::nullopt;
      WeightMove move;
      move.panel = static_cast<int64_t>(number);
      move.leaf = piece.leaf;
      move.outDistance = piece.getOutDistance();
      move.inDistance = piece.getInDistance();
      move.first = piece.getFirst() + row * move.outDistance;
      move.outs = panel.count;
      move.firstIn = origin.firstIn;
      move.ins = origin.ins;
      move.factors = piece.getFactors();
      for (WeightFactor &factor : move.factors)
        if (factor.axis == WeightAxis::Outs)
          factor.first += row;
      result.moves.push_back(move);
      covered += origin.ins;
    }
    // The panel crosses a border of concatenated tensors.
    if (covered != layout.depth)
      return std::nullopt;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {
/// Packs one move. A unit is an element, or a pair of inputs.
class MoveEmitter {
public:
  MoveEmitter(Code &code, const PanelLayout &layout, const WeightMoves &moves,
              Type to, Value result)
      : code(code), layout(layout), reader(code, moves.steps, moves.type),
        from(moves.type), to(to), result(result), inPairs(layout.together == 2),
        isAsStored(from == to && moves.steps.empty()) {}

  /// The place of a move, and of its panel in the result.
  struct Place {
    PieceReader::Place piece;
    Value outs, steps, to;
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
  Value shuffle(Value a, Value b, llvm::function_ref<int64_t(int64_t)> source) {
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < code.lanes(); ++lane)
      order.push_back(source(lane));
    return vector::ShuffleOp::create(code.builder, code.loc, a, b, order);
  }
  Values transpose(Values rows);

  Code &code;
  const PanelLayout &layout;
  PieceReader reader;
  Type from, to;
  Value result;
  bool inPairs, isAsStored;
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
  auto load = [&](Value in) {
    return reader.load(place.piece, out, in, WeightAxis::Outs, lanes);
  };
  if (!inPairs)
    return load(step);
  Value in = code.mulI(step, 2);
  return join(load(in), load(code.addI(in, 1)));
}

Value MoveEmitter::loadSteps(const Place &place, Value out, Value step) {
  int64_t lanes = code.lanes();
  auto load = [&](Value in) {
    return reader.load(place.piece, out, in, WeightAxis::Ins, lanes);
  };
  if (!inPairs)
    return load(step);
  Value in = code.mulI(step, 2);
  if (isAsStored) {
    // Pairs are already in the required order.
    Value start = code.address(place.piece.base,
                               reader.getPosition(place.piece, out, in), from);
    return code.loadRaw(start, code.typed(code.builder.getI32Type(), lanes),
                        code.index(0));
  }
  Value low = load(in), high = load(code.addI(in, lanes));
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

/// Swaps lanes of rows at distances of 1, 2, 4, ..
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

namespace {
/// The facts of all moves, a row of numbers each, as a table that code reads.
class MoveTable {
public:
  MoveTable(Frame &frame, const WeightMoves &moves);

  /// Calls `body` for the number of each move of a panel.
  void forPanel(Value panel, llvm::function_ref<void(Value)> body);
  /// The source of a move, the first input of its panel, and its numbers of
  /// outputs and inputs.
  struct Facts {
    PieceReader::Place piece;
    Value outs, firstIn, ins;
  };
  Facts load(Value move);

private:
  Value makeTable(ArrayRef<int64_t> entries);

  Frame &frame;
  Code &code;
  int64_t width = 0, numFactors;
  Value facts, firsts;
};
} // namespace

MoveTable::MoveTable(Frame &frame, const WeightMoves &moves)
    : frame(frame), code(frame.getCode()),
      numFactors(moves.moves.front().factors.size()) {
  SmallVector<int64_t> numbers, starts;
  for (auto [number, move] : llvm::enumerate(moves.moves)) {
    while (static_cast<int64_t>(starts.size()) <= move.panel)
      starts.push_back(static_cast<int64_t>(number));
    llvm::append_values(numbers, move.leaf, move.first, move.outDistance,
                        move.inDistance, move.outs, move.firstIn, move.ins);
    for (const WeightFactor &factor : move.factors)
      llvm::append_values(numbers, factor.leaf, factor.first);
  }
  starts.push_back(static_cast<int64_t>(moves.moves.size()));
  width = static_cast<int64_t>(numbers.size() / moves.moves.size());
  facts = makeTable(numbers);
  firsts = makeTable(starts);
}

Value MoveTable::makeTable(ArrayRef<int64_t> entries) {
  return code.table(DenseElementsAttr::get(
      RankedTensorType::get(static_cast<int64_t>(entries.size()),
                            code.builder.getI64Type()),
      entries));
}

void MoveTable::forPanel(Value panel, llvm::function_ref<void(Value)> body) {
  code.loop(code.loadI64(firsts, panel),
            code.loadI64(firsts, code.addI(panel, 1)), 1, body);
}

MoveTable::Facts MoveTable::load(Value move) {
  int64_t next = 0;
  Value row = code.mulI(move, width);
  auto getFact = [&] { return code.loadI64(facts, code.addI(row, next++)); };
  Facts found;
  found.piece.base = frame.getTensor(getFact());
  found.piece.first = getFact();
  found.piece.outDistance = getFact();
  found.piece.inDistance = getFact();
  found.outs = getFact();
  found.firstIn = getFact();
  found.ins = getFact();
  for (int64_t i = 0; i < numFactors; ++i) {
    Value base = frame.getTensor(getFact());
    found.piece.factors.push_back({base, getFact()});
  }
  return found;
}

void cpugen::emitMoves(Frame &frame, const WeightMoves &moves,
                       const PanelLayout &layout, Type type, Value result) {
  Code &code = frame.getCode();
  auto isLine = [](const WeightMove &move) { return move.outDistance == 1; };
  bool hasLines = llvm::any_of(moves.moves, isLine);
  bool hasBlocks = !llvm::all_of(moves.moves, isLine);
  MoveTable table(frame, moves);
  MoveEmitter emitter(code, layout, moves, type, result);
  auto emitMove = [&](Value panel, Value move) {
    MoveTable::Facts facts = table.load(move);
    MoveEmitter::Place place;
    place.piece = facts.piece;
    place.outs = facts.outs;
    place.steps = code.divI(facts.ins, layout.together);
    // In units.
    Value start = code.mulI(panel, layout.depth * layout.columns);
    place.to =
        code.divI(code.addI(start, code.mulI(facts.firstIn, layout.columns)),
                  layout.together);
    auto emit = [&](bool ofLines) -> Values {
      // The constant belongs to the region of one way alone.
      MoveEmitter::Place own = place;
      (ofLines ? own.piece.outDistance : own.piece.inDistance) = code.index(1);
      if (ofLines)
        emitter.emitLines(own);
      else
        emitter.emitBlocks(own);
      return {};
    };
    if (hasLines && hasBlocks)
      code.ifElse(
          code.equalI(facts.piece.outDistance, code.index(1)), {},
          [&] { return emit(true); }, [&] { return emit(false); });
    else
      emit(hasLines);
  };
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value panel) {
    table.forPanel(panel, [&](Value move) { emitMove(panel, move); });
  });
}
