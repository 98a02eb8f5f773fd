//===- TileProduct.cpp - emits AMX tile instructions ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tiles have fixed numbers, so none is ever spilled: four of sums, two of
// rows and two of columns. Each is loaded once for two products. Remaining
// rows have a separate configuration, and no memory after them is
// accessed.
//
//===----------------------------------------------------------------------===//

#include "TileProduct.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// A tile is 16 rows of 64 bytes: of sums, of 16 columns.
static constexpr int64_t kTileRows = 16, kTileColumns = 16, kTileBytes = 64;

namespace {
/// The tiles by number: of sums, of rows, of columns.
constexpr int64_t sumTile(int64_t row, int64_t column) {
  return 2 * row + column;
}
constexpr int64_t leftTile(int64_t row) { return 4 + row; }
constexpr int64_t rightTile(int64_t column) { return 6 + column; }

class TileCode {
public:
  TileCode(Code &code, CpuPath path, const TileOperands &operands)
      : code(code), product(path == CpuPath::BF16Tiles ? "llvm.x86.tdpbf16ps"
                                                       : "llvm.x86.tdpfp16ps"),
        operands(operands) {}

  void emit();

private:
  Value getConfigurations();
  void emitRows(Value row, int64_t numTiles);
  void emitColumns(Value row, Value column, int64_t numTiles);
  /// The part of the next weights that a product fetches: which of how many.
  struct Share {
    Value number;
    int64_t parts;
  };
  void emitSteps(Value left, Value right, int64_t numTiles,
                 std::optional<Share> share = std::nullopt);
  void prefetch(const Share &share, Value step);
  Value getSums(Value row, Value column, int64_t i, int64_t j);

  Value atByte(Value base, Value bytes) {
    return code.address(base, bytes, code.builder.getI8Type());
  }
  Value atByte(Value base, int64_t bytes) {
    return atByte(base, code.index(bytes));
  }
  void call(StringRef name, ArrayRef<int64_t> tiles, ValueRange others = {});
  void move(StringRef name, int64_t tile, Value place, int64_t stride) {
    call(name, tile, {place, code.index(stride)});
  }

  Code &code;
  StringRef product;
  const TileOperands &operands;
};
} // namespace

void TileCode::call(StringRef name, ArrayRef<int64_t> tiles,
                    ValueRange others) {
  Values arguments;
  for (int64_t tile : tiles)
    arguments.push_back(code.integer(code.builder.getI8Type(), tile));
  llvm::append_range(arguments, others);
  LLVM::CallIntrinsicOp::create(code.builder, code.loc,
                                code.builder.getStringAttr(name), arguments);
}

/// Returns a table of operands of LDTILECFG, by the number of rows: 0 to 32.
Value TileCode::getConfigurations() {
  constexpr int64_t mostRows = 2 * kTileRows, size = 64;
  // Offsets of the sizes of rows, in two bytes each, and of the numbers of
  // rows.
  constexpr int64_t rowBytesAt = 16, rowsAt = 48;
  SmallVector<int8_t> bytes((mostRows + 1) * size);
  for (int64_t numRows = 0; numRows <= mostRows; ++numRows) {
    int8_t *configuration = bytes.data() + numRows * size;
    configuration[0] = 1;
    auto describe = [&](int64_t tile, int64_t rows) {
      configuration[rowBytesAt + 2 * tile] = rows > 0 ? kTileBytes : 0;
      configuration[rowsAt + tile] = static_cast<int8_t>(rows);
    };
    for (int64_t i = 0; i < 2; ++i) {
      int64_t rows = std::clamp<int64_t>(numRows - i * kTileRows, 0, kTileRows);
      describe(leftTile(i), rows);
      describe(rightTile(i), kTilePairs);
      for (int64_t j = 0; j < 2; ++j)
        describe(sumTile(i, j), rows);
    }
  }
  auto type = RankedTensorType::get(static_cast<int64_t>(bytes.size()),
                                    code.builder.getI8Type());
  return code.table(DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
}

Value TileCode::getSums(Value row, Value column, int64_t i, int64_t j) {
  Value start =
      code.addI(code.mulI(code.addI(row, i * kTileRows), operands.sumsStride),
                code.mulI(code.addI(column, j * kTileColumns), sizeof(float)));
  return atByte(operands.sums, start);
}

/// Fetches, of the part, as much as a step's tiles have of the whole.
void TileCode::prefetch(const Share &share, Value step) {
  int64_t stride = operands.rightStride / share.parts;
  Value part = code.mulI(share.number, code.mulI(operands.steps, stride));
  Value start = code.addI(part, code.mulI(step, stride));
  for (int64_t line = 0; line < kTilePairs * stride; line += kLineBytes)
    code.prefetch(atByte(operands.next, code.addI(start, line)));
}

void TileCode::emitSteps(Value left, Value right, int64_t numTiles,
                         std::optional<Share> share) {
  code.loop(code.index(0), operands.steps, kTilePairs, [&](Value step) {
    Value leftAt = atByte(left, code.mulI(step, 4));
    Value rightAt = atByte(right, code.mulI(step, operands.rightStride));
    auto loadLeft = [&](int64_t i) {
      move("llvm.x86.tileloadd64", leftTile(i),
           atByte(leftAt, i * kTileRows * operands.leftStride),
           operands.leftStride);
    };
    auto loadRight = [&](int64_t j) {
      move("llvm.x86.tileloadd64", rightTile(j),
           atByte(rightAt, j * kTileBytes), operands.rightStride);
    };
    auto multiply = [&](int64_t i, int64_t j) {
      call(product, {sumTile(i, j), leftTile(i), rightTile(j)});
    };
    // Products begin as soon as their tiles are there.
    loadLeft(0);
    loadRight(0);
    multiply(0, 0);
    loadRight(1);
    multiply(0, 1);
    if (numTiles == 2) {
      loadLeft(1);
      multiply(1, 0);
      multiply(1, 1);
    }
    if (share)
      prefetch(*share, step);
  });
}

void TileCode::emitColumns(Value row, Value column, int64_t numTiles) {
  auto forSums = [&](llvm::function_ref<void(int64_t, int64_t)> body) {
    for (int64_t i = 0; i < numTiles; ++i)
      for (int64_t j = 0; j < 2; ++j)
        body(i, j);
  };
  code.ifElse(
      operands.isFirst, {},
      [&]() -> Values {
        forSums([&](int64_t i, int64_t j) {
          call("llvm.x86.tilezero", sumTile(i, j));
        });
        return {};
      },
      [&]() -> Values {
        forSums([&](int64_t i, int64_t j) {
          move("llvm.x86.tileloadd64", sumTile(i, j),
               getSums(row, column, i, j), operands.sumsStride);
        });
        return {};
      });
  Value left = atByte(operands.left, code.mulI(row, operands.leftStride));
  // A column is a pair of inputs, four bytes.
  Value right = atByte(operands.right, code.mulI(column, 4));
  auto emitSharing = [&](int64_t parts) {
    Value number = code.addI(code.mulI(code.divI(row, 2 * kTileRows),
                                       operands.columns / kTileProductColumns),
                             code.divI(column, kTileProductColumns));
    return code.ifElse(
        code.lessI(number, code.index(parts)), {},
        [&]() -> Values {
          emitSteps(left, right, numTiles, Share{number, parts});
          return {};
        },
        [&]() -> Values {
          emitSteps(left, right, numTiles);
          return {};
        });
  };
  // The first products prefetch the next data, so that memory is busy
  // meanwhile: as many products as all rows need, up to four, since one alone
  // would wait for memory.
  if (!operands.next)
    emitSteps(left, right, numTiles);
  else
    code.ifElse(
        code.lessI(code.index(2 * kTileRows), operands.numRows), {},
        [&] { return emitSharing(4); }, [&] { return emitSharing(2); });
  forSums([&](int64_t i, int64_t j) {
    move("llvm.x86.tilestored64", sumTile(i, j), getSums(row, column, i, j),
         operands.sumsStride);
  });
}

void TileCode::emitRows(Value row, int64_t numTiles) {
  static_assert(kTileProductColumns == 2 * kTileColumns);
  code.loop(code.index(0), code.index(operands.columns), kTileProductColumns,
            [&](Value column) { emitColumns(row, column, numTiles); });
}

/// To configure costs as much as some products: whole tiles share one.
void TileCode::emit() {
  constexpr int64_t together = 2 * kTileRows;
  Value configurations = getConfigurations();
  auto configure = [&](Value numRows) {
    call("llvm.x86.ldtilecfg", {},
         atByte(configurations, code.mulI(numRows, kTileBytes)));
  };
  Value rest = code.remI(operands.numRows, together);
  Value whole = code.subI(operands.numRows, rest);
  code.ifThen(code.lessI(code.index(0), whole), [&] {
    configure(code.index(together));
    code.loop(code.index(0), whole, together,
              [&](Value row) { emitRows(row, 2); });
  });
  code.ifThen(code.lessI(code.index(0), rest), [&] {
    configure(rest);
    code.ifElse(
        code.lessI(code.index(kTileRows), rest), {},
        [&]() -> Values {
          emitRows(whole, 2);
          return {};
        },
        [&]() -> Values {
          emitRows(whole, 1);
          return {};
        });
  });
}

void cpugen::emitTileProduct(Code &code, CpuPath path,
                             const TileOperands &operands) {
  TileCode(code, path, operands).emit();
}

void cpugen::emitTileRelease(Code &code) {
  LLVM::CallIntrinsicOp::create(
      code.builder, code.loc,
      code.builder.getStringAttr("llvm.x86.tilerelease"), ValueRange());
}
