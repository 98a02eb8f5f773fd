//===- RowRotations.cpp - row models of rotations -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowModels.h"

using namespace mlir;
using namespace parablock;

namespace {
/// The rotation of the columns of a row by a step.
struct Rotation {
  /// Columns of a head, and how many of them are rotated.
  int64_t headSize, dim;
  block::RopeStyle style;
  bool hasManyHeads;

  bool inHalves() const { return style == block::RopeStyle::Half; }
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

PairColumns::PairColumns(const RowCode &code, const Column &column, Value place,
                         int64_t dim, bool inHalves)
    : code(code), column(column), place(place), dim(dim), inHalves(inHalves) {
  Value half = code.index(dim / 2);
  if (!inHalves) {
    isFirstValue = code.isFirst(place, column.lanes);
    if (!column.border)
      pair = code.divIndex(place, code.index(2));
  } else if (column.border) {
    isFirst = *column.border < dim / 2;
    pair = *isFirst ? place : code.subIndex(place, half);
  } else {
    isFirstValue = code.lessIndex(place, half);
    pair = code.subIndex(place, code.select(isFirstValue, code.index(0), half));
  }
}

Value PairColumns::select(Value a, Value b) const {
  if (isFirst)
    return *isFirst ? a : b;
  return code.select(isFirstValue, a, b);
}

Value PairColumns::turn(llvm::function_ref<double(int64_t)> ofPair,
                        Value position, Value ahead) const {
  constexpr double twoPi = 6.28318530717958647692;
  SmallVector<double> perPosition;
  for (int64_t at = 0; at < dim / 2; ++at)
    perPosition.append(pair ? 1 : 2, ofPair(at) / twoPi);
  return code.turn(perPosition, position, pair ? pair : place, column.lanes,
                   ahead);
}

/// Maps (a, b) to (a cos - b sin, b cos + a sin). `getEntries` returns cosine
/// and sine of pairs.
using EntryGetter =
    llvm::function_ref<std::pair<Value, Value>(const PairColumns &)>;
static Value rotatePairs(RowElements &rows, Value input, const Column &column,
                         const PairColumns &pairs, EntryGetter getEntries) {
  const RowCode &code = rows.code;
  Value x = rows.element(input, column), partner;
  auto getAt = [&](const Column &other) { return rows.element(input, other); };
  if (pairs.inHalves) {
    int64_t half = pairs.dim / 2;
    Value distance = code.index(half);
    Column other = column;
    if (pairs.isFirst)
      other.border = *column.border + (*pairs.isFirst ? half : -half);
    other.index =
        pairs.isFirst && *pairs.isFirst ? code.addIndex(column.index, distance)
        : pairs.isFirst ? code.subIndex(column.index, distance)
                        : pairs.select(code.addIndex(column.index, distance),
                                       code.subIndex(column.index, distance));
    partner = getAt(other);
  } else {
    partner = code.swapPairs(x, column, pairs.isFirstValue, getAt);
  }
  auto [cosine, sine] = getEntries(pairs);
  // In a vector of both kinds the signs are a constant.
  bool isMixed = column.border && !pairs.isFirst;
  Value signedSine =
      isMixed ? code.mul(sine, pairs.select(code.f32(-1), code.f32(1)))
              : pairs.select(code.neg(sine), sine);
  return code.fma(partner, signedSine, code.mul(x, cosine));
}

/// Returns columns of which the first ones of each head are
/// rotated.
static Value rotateHeads(RowElements &rows, Value input,
                         const Rotation &rotation, const Column &column,
                         EntryGetter getEntries) {
  const RowCode &code = rows.code;
  Value inHead =
      rotation.hasManyHeads
          ? code.remIndex(column.index, code.index(rotation.headSize))
          : column.index;
  // Computed here, so that both branches share it.
  Value x = rows.element(input, column);
  auto rotate = [&] {
    PairColumns pairs(code, column, inHead, rotation.dim, rotation.inHalves());
    return rotatePairs(rows, input, column, pairs, getEntries);
  };
  if (rotation.dim == rotation.headSize)
    return rotate();
  // Decided here where columns are known to be on one side.
  if (column.border)
    return *column.border < rotation.dim ? rotate() : x;
  return code.ifElse(code.lessIndex(inHead, code.index(rotation.dim)), rotate,
                     [&] { return x; });
}

Value parablock::addOffset(RowElements &rows, Value time, Value offset) {
  const RowCode &code = rows.code;
  if (!offset)
    return time;
  if (offset.getType().isIndex())
    return code.addIndex(time, rows.getSize(offset));
  Value own = code.loadInteger(rows.getPlace(offset), rows.getBatch(),
                               code.index(0), code.index(1));
  // Padding in front of the first token has no separate positions.
  return code.maxIndex(code.addIndex(time, own), code.index(0));
}

namespace {
/// The rotation by position.
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
    position = rows.code.toPosition(addOffset(rows, rows.getTime(), offset));
  }
  Value emit(block::RopeOp op, RowElements &rows, const Column &column) const {
    block::RopeAttr form = op.getForm();
    Rotation rotation = getRotation(op);
    const RowCode &code = rows.code;
    auto getEntries = [&](const PairColumns &pairs) {
      auto [cosine, sine] = code.cosineAndSine(
          pairs.turn([&](int64_t pair) { return form.getFrequency(pair); },
                     rows.fact(op.getOffset().getAsOpaquePointer())));
      auto finish = [&](Value entry) {
        entry = code.scale(entry, form.getTableScaleValue());
        Type type = form.getTableType();
        return type ? code.round(entry, type) : entry;
      };
      cosine = finish(cosine);
      sine = finish(sine);
      return std::pair(cosine, op.getInverse() ? code.neg(sine) : sine);
    };
    return rotateHeads(rows, op.getInput(), rotation, column, getEntries);
  }
};

/// The rotation by tables.
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
        rows, op.getInput(), rotation, column, [&](const PairColumns &pairs) {
          Value cosine = loadEntries(op.getCosines(), rows, pairs);
          if (!op.getInverse())
            return std::pair(cosine, loadEntries(op.getSines(), rows, pairs));
          // Back, an element is turned by its partner's sine.
          Value sine = getRowWidth(op.getSines()) == rotation.dim
                           ? loadPartners(op.getSines(), rows, pairs)
                           : loadEntries(op.getSines(), rows, pairs);
          return std::pair(cosine, rows.code.neg(sine));
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

  /// Loads the partners' elements from a table with a column for each
  /// element.
  static Value loadPartners(Value table, RowElements &rows,
                            const PairColumns &pairs) {
    const RowCode &code = rows.code;
    auto type = cast<RankedTensorType>(table.getType());
    Value place = rows.getPlace(table), row = getTableRow(table, rows);
    Column entries = pairs.column;
    auto loadAt = [&](Value index) {
      entries.index = index;
      return code.load(place, type, row, entries);
    };
    if (!pairs.inHalves)
      return code.swapPairs(
          loadAt(pairs.place), pairs.column, pairs.isFirstValue,
          [&](const Column &other) {
            return loadAt(code.addIndex(
                pairs.place, code.subIndex(other.index, pairs.column.index)));
          });
    Value half = code.index(pairs.dim / 2);
    if (pairs.isFirst)
      return loadAt(*pairs.isFirst ? code.addIndex(pairs.place, half)
                                   : code.subIndex(pairs.place, half));
    return loadAt(pairs.select(code.addIndex(pairs.place, half),
                               code.subIndex(pairs.place, half)));
  }

  /// From a table with a column for each pair, or each element, of a head.
  static Value loadEntries(Value table, RowElements &rows,
                           const PairColumns &pairs) {
    const RowCode &code = rows.code;
    auto type = cast<RankedTensorType>(table.getType());
    bool isOfPairs = getRowWidth(table) == pairs.dim / 2;
    Value place = rows.getPlace(table), row = getTableRow(table, rows);
    Column entries = pairs.column;
    entries.index = isOfPairs && pairs.pair ? pairs.pair : pairs.place;
    if (!isOfPairs || pairs.pair)
      return code.load(place, type, row, entries);
    entries.index = code.divIndex(pairs.place, code.index(2));
    return code.loadForPairs(place, type, row, entries);
  }
};
} // namespace

void parablock::attachRotationRows(MLIRContext &context) {
  block::RopeOp::attachInterface<RopeRows>(context);
  block::RotateOp::attachInterface<RotateRows>(context);
}
