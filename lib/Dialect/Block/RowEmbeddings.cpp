//===- RowEmbeddings.cpp - row models of embeddings -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowModels.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Token embedding
//===----------------------------------------------------------------------===//

namespace {
struct EmbeddingRows : RowModel<EmbeddingRows, block::EmbeddingOp> {
  /// Facts about a token. `IsHere` is whether the table has its row, and
  /// `IsType` whether that of types has.
  enum Fact : unsigned { TableRow, IsHere, Position, Type, IsType };

  LogicalResult
  checkRows(Operation *op,
            llvm::function_ref<InFlightDiagnostic()> refuse) const {
    auto embedding = cast<block::EmbeddingOp>(op);
    Value first = embedding.getFirstId();
    if (first && !isa<BlockArgument>(first) && !getConstantIntValue(first))
      return refuse() << "with a first_id that is no constant";
    int64_t width = getRowWidth(embedding.getResult());
    if (!embedding.getSinusoid() || width % 2 == 0)
      return success();
    return refuse() << "with a sinusoid of odd width " << width;
  }

  void emitFacts(Operation *op, RowElements &rows, Value) const {
    auto embedding = cast<block::EmbeddingOp>(op);
    const RowCode &code = rows.code;
    Value batch = rows.getBatch(), time = rows.getTime();
    auto load = [&](Value ids, Value at) {
      return code.loadInteger(rows.getPlace(ids), batch, at, rows.sequence);
    };
    Value id = load(embedding.getIds(), time), wanted = id;
    if (embedding.getFirstId())
      wanted = code.subIndex(id, rows.getSize(embedding.getFirstId()));
    // Hosts check ids that are inputs. Other ids are clamped, so that only
    // existing rows are read.
    auto choose = [&](Value number, Value table, Fact row, Fact isHere) {
      int64_t size = cast<RankedTensorType>(table.getType()).getDimSize(0);
      Value existing = code.maxIndex(
          code.minIndex(number, code.index(size - 1)), code.index(0));
      rows.fact(op, isHere) = code.equalIndex(number, existing);
      rows.fact(op, row) = existing;
    };
    choose(wanted, embedding.getTable(), TableRow, IsHere);
    if (embedding.getTypeIds())
      choose(load(embedding.getTypeIds(), time), embedding.getTypeTable(), Type,
             IsType);
    else if (embedding.getTypeTable())
      rows.fact(op, Type) = code.index(0);
    rows.fact(op, Position) =
        embedding.getPadId()
            ? countTokens(
                  rows, *embedding.getPadId(), id, time,
                  [&](Value at) { return load(embedding.getIds(), at); })
            : findPosition(embedding, rows, time);
  }

  static Value findPosition(block::EmbeddingOp op, RowElements &rows,
                            Value time) {
    const RowCode &code = rows.code;
    Value position = addOffset(rows, time, op.getOffset());
    if (auto offset = static_cast<int64_t>(op.getPositionOffset()))
      position = code.addIndex(position, code.index(offset));
    // The lengths of batch rows are unknown before the run: whatever their
    // values, only existing rows are read.
    if (op.getPositionTable() && op.getOffset() &&
        !op.getOffset().getType().isIndex()) {
      auto type = cast<RankedTensorType>(op.getPositionTable().getType());
      position = code.minIndex(position, code.index(type.getDimSize(0) - 1));
    }
    return position;
  }

  /// Counts the tokens up to `time` that are not `padId`, and adds it; padding
  /// has a separate position. Counted in f32, exact up to 2^24.
  static Value countTokens(RowElements &rows, int64_t padId, Value id,
                           Value time, llvm::function_ref<Value(Value)> load) {
    const RowCode &code = rows.code;
    Value pad = code.index(padId), zero = code.index(0);
    Value count =
        code.sumOf(zero, code.addIndex(time, code.index(1)), [&](Value at) {
          return code.select(code.equalIndex(load(at), pad), code.f32(0),
                             code.f32(1));
        });
    Value real =
        code.select(code.equalIndex(id, pad), zero, code.toWhole(count));
    return code.addIndex(pad, real);
  }

  /// A sinusoid is as wide as the row, and has sines and cosines in pairs.
  ColumnOrder getColumnOrder(Operation *op) const {
    auto embedding = cast<block::EmbeddingOp>(op);
    ColumnOrder order;
    if (!embedding.getSinusoid())
      return order;
    order.part = getRowWidth(embedding.getResult());
    if (*embedding.getSinusoid() == block::Sinusoid::Concatenated)
      order.borders.push_back(order.part / 2);
    return order;
  }

  /// The sinusoid of the token's position at `column`.
  static Value emitSinusoid(block::EmbeddingOp op, RowElements &rows,
                            const Column &column) {
    const RowCode &code = rows.code;
    int64_t width = getRowWidth(op.getResult());
    PairColumns pairs(code, column, column.index, width,
                      *op.getSinusoid() == block::Sinusoid::Concatenated);
    // A cosine is a sine a quarter of a turn ahead.
    Value ahead = pairs.select(code.f32(0), code.f32(0.25));
    Value position = code.toPosition(rows.fact(op.getOperation(), Position));
    auto getFrequency = [&](int64_t pair) {
      return std::pow(10000.0, -2.0 * static_cast<double>(pair) /
                                   static_cast<double>(width));
    };
    return code.sine(pairs.turn(getFrequency, position, ahead));
  }

  /// The sum in the order of its terms in the op's description.
  Value emit(block::EmbeddingOp op, RowElements &rows,
             const Column &column) const {
    const RowCode &code = rows.code;
    auto getFact = [&](Fact fact) {
      return rows.fact(op.getOperation(), fact);
    };
    Value x = code.scale(rows.load(op.getTable(), getFact(TableRow), column),
                         op.getScale().convertToDouble());
    // Rows of another rank add nothing; an id without a row gives NaN.
    double otherwise =
        op.getFirstId() ? 0 : std::numeric_limits<double>::quiet_NaN();
    x = code.select(getFact(IsHere), x, code.f32(otherwise));
    if (op.getPositionTable())
      x = code.add(x,
                   rows.load(op.getPositionTable(), getFact(Position), column));
    if (op.getSinusoid())
      x = code.add(x, emitSinusoid(op, rows, column));
    if (!op.getTypeTable())
      return x;
    Value type = rows.load(op.getTypeTable(), getFact(Type), column);
    if (op.getTypeIds())
      type = code.select(getFact(IsType), type,
                         code.f32(std::numeric_limits<double>::quiet_NaN()));
    return code.add(x, type);
  }
};

//===----------------------------------------------------------------------===//
// Patch embedding
//===----------------------------------------------------------------------===//

struct PatchEmbeddingRows
    : RowModel<PatchEmbeddingRows, block::PatchEmbeddingOp> {
  /// A column is a sum over a patch.
  ColumnOrder getColumnOrder(Operation *) const {
    ColumnOrder order;
    order.scalar = true;
    return order;
  }

  Value emit(block::PatchEmbeddingOp op, RowElements &rows,
             const Column &column) const {
    const RowCode &code = rows.code;
    Value time = rows.getTime();
    Value x;
    if (Value token = op.getClassToken())
      x = code.ifElse(
          code.lessIndex(code.index(0), time),
          [&] {
            return emitPatch(op, rows, column,
                             code.subIndex(time, code.index(1)));
          },
          [&] { return rows.element(token, column); });
    else
      x = emitPatch(op, rows, column, time);
    if (!op.getPositionTable())
      return x;
    return code.add(x, rows.load(op.getPositionTable(), time, column));
  }

  /// The sum over the lines of a patch of products along each.
  static Value emitPatch(block::PatchEmbeddingOp op, RowElements &rows,
                         const Column &column, Value patch) {
    const RowCode &code = rows.code;
    auto pixelType = cast<RankedTensorType>(op.getPixels().getType());
    auto weightType = cast<RankedTensorType>(op.getWeight().getType());
    int64_t channels = pixelType.getDimSize(1),
            rowsOfImage = pixelType.getDimSize(2);
    int64_t patchRows = weightType.getDimSize(2),
            patchWidth = weightType.getDimSize(3);
    Value pixels = rows.getPlace(op.getPixels());
    Value weight = rows.getPlace(op.getWeight());
    Value height = code.index(rowsOfImage), patchHeight = code.index(patchRows);
    Value across = code.index(pixelType.getDimSize(3) / patchWidth);
    Value lines = code.index(channels * patchRows);

    Value top = code.mulIndex(code.divIndex(patch, across), patchHeight);
    Value left =
        code.mulIndex(code.remIndex(patch, across), code.index(patchWidth));
    Value firstLine = code.addIndex(
        code.mulIndex(rows.getBatch(), code.index(channels * rowsOfImage)),
        top);
    Value firstWeight = code.mulIndex(column.index, lines);
    Value bias =
        op.getBias() ? rows.element(op.getBias(), column) : code.f32(0);
    return code.fold(code.index(0), lines, bias, [&](Value line, Value sum) {
      // Line `line % patchHeight` of channel `line / patchHeight`.
      Value channel = code.divIndex(line, patchHeight);
      Value pixelLine = code.addIndex(
          firstLine, code.addIndex(code.mulIndex(channel, height),
                                   code.remIndex(line, patchHeight)));
      Value weightLine = code.addIndex(firstWeight, line);
      return code.addProducts(sum, patchWidth, [&](Value at, int64_t lanes) {
        return std::pair(
            code.load(pixels, pixelType, pixelLine,
                      {code.addIndex(left, at), 0, lanes}),
            code.load(weight, weightType, weightLine, {at, 0, lanes}));
      });
    });
  }
};
} // namespace

void parablock::attachEmbeddingRows(MLIRContext &context) {
  block::EmbeddingOp::attachInterface<EmbeddingRows>(context);
  block::PatchEmbeddingOp::attachInterface<PatchEmbeddingRows>(context);
}
