//===- RowRotations.cpp - rows of heads rotated by their position ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowModels.h"

using namespace mlir;
using namespace parablock;

static constexpr double kTwoPi = 6.28318530717958647692;

namespace {
/// How a step rotates the columns of a row.
struct Rotation {
  /// Columns of a head, and how many of them are rotated.
  int64_t headSize, dim;
  block::RopeStyle style;
  bool hasManyHeads;

  bool inHalves() const { return style == block::RopeStyle::Half; }
};

/// Where columns are in their pairs.
struct PairPlace {
  /// In the head, and as the number of their pairs.
  Value inHead, pair;
};
} // namespace

template <typename RotationOp>
static Rotation getRotation(RotationOp op, int64_t dim,
                            block::RopeStyle style) {
  auto heads = static_cast<int64_t>(op.getHeads());
  return {getRowWidth(op.getInput()) / heads, dim, style, heads > 1};
}

static Rotation getRotation(block::RopeOp op) {
  return getRotation(op, op.getForm().getDim(), op.getForm().getStyle());
}

static Rotation getRotation(block::RotateOp op) {
  return getRotation(op, static_cast<int64_t>(op.getDim()), op.getStyle());
}

static ColumnOrder getOrder(const Rotation &rotation) {
  ColumnOrder order;
  order.part = rotation.headSize;
  if (rotation.inHalves())
    order.borders.push_back(rotation.dim / 2);
  if (rotation.dim < rotation.headSize)
    order.borders.push_back(rotation.dim);
  return order;
}

/// `below` where columns of a head are before `border`, else `beyond`: decided
/// here where they are known to be on one side.
static Value chooseBelow(const RowCode &code, const Column &column,
                         Value inHead, int64_t border,
                         llvm::function_ref<Value()> below,
                         llvm::function_ref<Value()> beyond) {
  if (column.border)
    return *column.border < border ? below() : beyond();
  return code.ifElse(code.lessIndex(inHead, code.index(border)), below, beyond);
}

/// (a, b) becomes (a cos - b sin, b cos + a sin). `getEntries` gives cosine and
/// sine at a place.
static Value rotatePairs(
    RowElements &rows, Value input, const Rotation &rotation,
    const Column &column, Value inHead,
    llvm::function_ref<std::pair<Value, Value>(const PairPlace &)> getEntries) {
  const RowCode &code = rows.code;
  Value x = rows.element(input, column);
  if (!rotation.inHalves()) {
    auto [cosine, sine] = getEntries({inHead, Value()});
    Value partner = code.swapPairs(x, column, inHead, [&](const Column &other) {
      return rows.element(input, other);
    });
    Value isSecond = code.isSecond(inHead, column.lanes);
    return code.fma(partner, code.select(isSecond, sine, code.neg(sine)),
                    code.mul(x, cosine));
  }
  int64_t half = rotation.dim / 2;
  Value distance = code.index(half);
  if (column.border) {
    bool isFirst = *column.border < half;
    auto [cosine, sine] = getEntries(
        {inHead, isFirst ? inHead : code.subIndex(inHead, distance)});
    Column other = {isFirst ? code.addIndex(column.index, distance)
                            : code.subIndex(column.index, distance),
                    *column.border + (isFirst ? half : -half), column.lanes};
    return code.fma(rows.element(input, other), isFirst ? code.neg(sine) : sine,
                    code.mul(x, cosine));
  }
  Value isFirst = code.lessIndex(inHead, distance);
  Value partner = code.select(isFirst, code.addIndex(column.index, distance),
                              code.subIndex(column.index, distance));
  Value before = code.select(isFirst, code.index(0), distance);
  auto [cosine, sine] = getEntries({inHead, code.subIndex(inHead, before)});
  Value other = rows.element(input, {partner, std::nullopt, column.lanes});
  return code.fma(other, code.select(isFirst, code.neg(sine), sine),
                  code.mul(x, cosine));
}

/// What becomes of columns of which the first ones of each head are rotated.
static Value rotateHeads(
    RowElements &rows, Value input, const Rotation &rotation,
    const Column &column,
    llvm::function_ref<std::pair<Value, Value>(const PairPlace &)> getEntries) {
  const RowCode &code = rows.code;
  Value inHead =
      rotation.hasManyHeads
          ? code.remIndex(column.index, code.index(rotation.headSize))
          : column.index;
  auto rotate = [&] {
    return rotatePairs(rows, input, rotation, column, inHead, getEntries);
  };
  if (rotation.dim == rotation.headSize)
    return rotate();
  // Asked for here, so that both sides know it.
  Value x = rows.element(input, column);
  return chooseBelow(code, column, inHead, rotation.dim, rotate,
                     [&] { return x; });
}

namespace {
/// By position.
struct RopeRows : RowModel<RopeRows, block::RopeOp> {
  LogicalResult
  checkRows(Operation *op,
            llvm::function_ref<InFlightDiagnostic()> refuse) const {
    Type type = cast<block::RopeOp>(op).getForm().getTableType();
    if (!type || type.isF32() || type.isBF16() || type.isF16())
      return success();
    return refuse() << "with a table of " << type
                    << ": expected f32, bf16 or f16";
  }
  std::optional<int64_t> getColumnReach(Operation *op) const {
    return getRotation(cast<block::RopeOp>(op)).headSize;
  }
  ColumnOrder getColumnOrder(Operation *op) const {
    return getOrder(getRotation(cast<block::RopeOp>(op)));
  }
  /// The position, which ropes of one offset share.
  void emitFacts(Operation *op, RowElements &rows, Value) const {
    Value offset = cast<block::RopeOp>(op).getOffset();
    Value &position = rows.fact(offset.getAsOpaquePointer());
    if (position)
      return;
    Value time = rows.getTime();
    if (offset)
      time = rows.code.addIndex(time, rows.getSize(offset));
    position = rows.code.toPosition(time);
  }
  Value emit(block::RopeOp op, RowElements &rows, const Column &column) const {
    block::RopeAttr form = op.getForm();
    Rotation rotation = getRotation(op);
    auto getEntries = [&](const PairPlace &place) {
      SmallVector<Angle> angles;
      for (int64_t pair = 0; pair < rotation.dim / 2; ++pair)
        angles.insert(angles.end(), rotation.inHalves() ? 1 : 2,
                      {form.getFrequency(pair) / kTwoPi});
      const RowCode &code = rows.code;
      Value turns =
          code.turn(angles, rows.fact(op.getOffset().getAsOpaquePointer()),
                    place.pair ? place.pair : place.inHead, column.lanes);
      auto [cosine, sine] = code.cosineAndSine(turns);
      auto finish = [&](Value entry) {
        entry = code.scale(entry, form.getTableScaleValue());
        Type type = form.getTableType();
        return type ? code.round(entry, type) : entry;
      };
      return std::pair(finish(cosine), finish(sine));
    };
    return rotateHeads(rows, op.getInput(), rotation, column, getEntries);
  }
};

/// By tables.
struct RotateRows : RowModel<RotateRows, block::RotateOp> {
  /// Tables are read at other places than the row's own.
  LogicalResult
  checkRows(Operation *op,
            llvm::function_ref<InFlightDiagnostic()> refuse) const {
    auto rotate = cast<block::RotateOp>(op);
    if (isa<BlockArgument>(rotate.getCosines()) &&
        isa<BlockArgument>(rotate.getSines()))
      return success();
    return refuse() << "with tables that its own kernel computes";
  }
  std::optional<int64_t> getColumnReach(Operation *op) const {
    return getRotation(cast<block::RotateOp>(op)).headSize;
  }
  ColumnOrder getColumnOrder(Operation *op) const {
    return getOrder(getRotation(cast<block::RotateOp>(op)));
  }
  Value emit(block::RotateOp op, RowElements &rows,
             const Column &column) const {
    Rotation rotation = getRotation(op);
    return rotateHeads(
        rows, op.getInput(), rotation, column, [&](const PairPlace &place) {
          return std::pair(
              loadEntries(op.getCosines(), rows, rotation, column, place),
              loadEntries(op.getSines(), rows, rotation, column, place));
        });
  }

  /// A table has rows of one sequence, or of all.
  static Value getTableRow(Value table, RowElements &rows) {
    auto type = cast<RankedTensorType>(table.getType());
    if (type.getDimSize(0) == 1)
      return rows.getTime();
    Value sequences = type.isDynamicDim(0)
                          ? rows.code.getFirstSize(rows.getPlace(table))
                          : Value();
    if (!sequences)
      return rows.row;
    Value isShared = rows.code.lessIndex(sequences, rows.code.index(2));
    return rows.code.select(isShared, rows.getTime(), rows.row);
  }

  /// From a table with a column for each pair, or each element, of a head.
  static Value loadEntries(Value table, RowElements &rows,
                           const Rotation &rotation, const Column &column,
                           const PairPlace &place) {
    const RowCode &code = rows.code;
    auto type = cast<RankedTensorType>(table.getType());
    bool isOfPairs = getRowWidth(table) == rotation.dim / 2;
    Value row = getTableRow(table, rows);
    Column entries = {isOfPairs && place.pair ? place.pair : place.inHead,
                      column.border, column.lanes};
    if (!isOfPairs || rotation.inHalves())
      return code.load(rows.getPlace(table), type, row, entries);
    entries.index = code.divIndex(place.inHead, code.index(2));
    return code.loadForPairs(rows.getPlace(table), type, row, entries);
  }
};
} // namespace

void parablock::attachRotationRows(MLIRContext &context) {
  block::RopeOp::attachInterface<RopeRows>(context);
  block::RotateOp::attachInterface<RotateRows>(context);
}
