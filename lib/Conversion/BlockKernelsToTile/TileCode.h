//===- TileCode.h - builder of code in tile kernels -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_TILECODE_H
#define PARABLOCK_LIB_CONVERSION_TILECODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "parablock/Dialect/Block/ElementCode.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock {

/// Emits f32 and index arithmetic at the insertion point of a builder. Created
/// for every region: copies are cheap and stateless. Within rows, a lane
/// computes single elements.
struct TileCode : RowCode {
  using RowCode::RowCode;

  // Constants.
  Value index(int64_t value) const override;
  Value f32(double value) const override;
  Value boolean(bool value) const;

  // f32 arithmetic.
  Value add(Value a, Value b) const override {
    return mlir::arith::AddFOp::create(builder, loc, a, b);
  }
  Value neg(Value a) const override {
    return mlir::arith::NegFOp::create(builder, loc, a);
  }
  Value sub(Value a, Value b) const override {
    return mlir::arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) const override {
    return mlir::arith::MulFOp::create(builder, loc, a, b);
  }
  /// Multiplies with a reciprocal: of normal divisors up to 2^126, or of 0.
  Value div(Value a, Value b) const override;
  Value fma(Value a, Value b, Value c) const override {
    return mlir::math::FmaOp::create(builder, loc, a, b, c);
  }
  Value max(Value a, Value b) const override;
  Value min(Value a, Value b) const override;
  Value less(Value a, Value b) const override {
    return mlir::arith::CmpFOp::create(builder, loc,
                                       mlir::arith::CmpFPredicate::OLT, a, b);
  }
  Value sqrt(Value a) const override {
    return mlir::math::SqrtOp::create(builder, loc, a,
                                      mlir::arith::FastMathFlags::afn);
  }
  Value rsqrt(Value a) const override {
    return mlir::math::RsqrtOp::create(builder, loc, a);
  }
  Value exp(Value a) const override {
    return mlir::math::ExpOp::create(builder, loc, a);
  }
  /// 2^a to a few units in the last place.
  Value fastExp2(Value a) const;
  Value tanh(Value a) const override {
    return mlir::math::TanhOp::create(builder, loc, a);
  }
  Value sigmoid(Value a) const override { return logistic(a, 1); }
  Value tanhShare(Value a) const override { return logistic(a, 2); }
  Value normalShare(Value a) const override;
  /// 1 / (1 + exp(-factor a)), 0 where that is below the normal numbers.
  Value logistic(Value a, double factor) const;
  Value round(Value a, mlir::Type type) const override;

  // Index arithmetic; dividends are never negative.
  Value addIndex(Value a, Value b) const override {
    return mlir::arith::AddIOp::create(builder, loc, a, b);
  }
  Value subIndex(Value a, Value b) const override {
    return mlir::arith::SubIOp::create(builder, loc, a, b);
  }
  Value mulIndex(Value a, Value b) const override {
    return mlir::arith::MulIOp::create(builder, loc, a, b);
  }
  Value divIndex(Value a, Value b) const override {
    return mlir::arith::DivUIOp::create(builder, loc, a, b);
  }
  Value remIndex(Value a, Value b) const override {
    return mlir::arith::RemUIOp::create(builder, loc, a, b);
  }
  Value lessIndex(Value a, Value b) const override {
    return mlir::arith::CmpIOp::create(builder, loc,
                                       mlir::arith::CmpIPredicate::slt, a, b);
  }
  Value equalIndex(Value a, Value b) const override {
    return mlir::arith::CmpIOp::create(builder, loc,
                                       mlir::arith::CmpIPredicate::eq, a, b);
  }
  /// The smaller and the greater of two signed numbers.
  Value minIndex(Value a, Value b) const override {
    return mlir::arith::MinSIOp::create(builder, loc, a, b);
  }
  Value maxIndex(Value a, Value b) const override {
    return mlir::arith::MaxSIOp::create(builder, loc, a, b);
  }
  Value select(Value condition, Value a, Value b) const override {
    return mlir::arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value toF32(Value index) const override;
  Value toWhole(Value number) const override;
  Value toI64(Value index) const override {
    return mlir::arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                            index);
  }
  Value toIntegers(const Column &column) const override {
    return mlir::arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                            column.index);
  }
  Value repeat(Value scalar, int64_t) const override { return scalar; }
  Value dim(Value tensor, int64_t dim) const;
  /// An i64 that is known to fit, as an index.
  Value toIndex(Value integer) const;
  /// An index that all lanes of a warp have, whose way from one step of a loop
  /// to the next the backend does not see.
  Value hideSteps(Value index) const;
  /// An index as the bits of an f32, which registers of tiles hold, and back.
  Value toBits(Value index) const;
  Value fromBits(Value bits) const;

  // Memory.
  /// Loads the element of a tensor or buffer of two dimensions, or of a vector,
  /// which ignores the row.
  Value load(Value place, Value row, Value column) const;
  void store(Value value, Value place, Value row, Value column) const;
  Value load(Value place, mlir::RankedTensorType type, Value row,
             const Column &column) const override;
  Value loadForPairs(Value place, mlir::RankedTensorType type, Value row,
                     const Column &column) const override {
    return load(place, type, row, column);
  }
  Value loadInteger(Value place, Value row, Value column,
                    Value width) const override;
  void store(Value value, Value place, mlir::RankedTensorType type, Value row,
             const Column &column) const override;
  Value getFirstSize(Value place) const override { return dim(place, 0); }
  /// Constants in device memory, `rows` by as many columns as fit.
  Value table(llvm::ArrayRef<float> values, int64_t rows) const;
  Value table(llvm::ArrayRef<int32_t> values) const;
  /// Creates whether two tensors share memory, which the launcher decides.
  Value isSameMemory(Value a, Value b) const;
  /// `size` elements of f32 for each warp, at row 0.
  Value scratch(int64_t size) const;

  // Angles (TileRows.cpp).
  Value toPosition(Value index) const override;
  /// Right to f32's last digits however many turns are left out.
  Value turn(llvm::ArrayRef<double> perPosition, Value position, Value first,
             int64_t lanes, Value ahead) const override;
  std::pair<Value, Value> cosineAndSine(Value turns) const override;
  Value sine(Value turns) const override;

  // Columns of rows (TileRows.cpp).
  Value
  swapPairs(Value own, const Column &column, Value place,
            llvm::function_ref<Value(const Column &)> element) const override;
  Value isFirst(Value place, int64_t lanes) const override;
  using RowCode::ifElse;
  Value sumOf(Value from, Value to,
              llvm::function_ref<Value(Value)> body) const override;
  Value addProducts(Value sum, int64_t size,
                    llvm::function_ref<std::pair<Value, Value>(Value, int64_t)>
                        body) const override;
  void forColumns(const ColumnRange &range, const ColumnOrder &order,
                  llvm::function_ref<void(const Column &)> body) const override;
  Value
  sumColumns(const ColumnRange &range, const ColumnOrder &order,
             llvm::function_ref<Value(const Column &)> body) const override;
  Value
  maxColumns(const ColumnRange &range, const ColumnOrder &order,
             llvm::function_ref<Value(const Column &)> body) const override;

  // Tiles in registers. `indices` are the row and, in an accumulator, the
  // column; `elements` are the operands' elements there.
  using MapBody = llvm::function_ref<Value(TileCode, mlir::ValueRange indices,
                                           mlir::ValueRange elements)>;
  Value zero(tile::AccumulatorType type) const {
    return tile::ZeroOp::create(builder, loc, type);
  }
  /// The last `pending` products may still run.
  Value settle(Value accumulator, int64_t pending = 0) const {
    return tile::SettleOp::create(builder, loc, accumulator, pending);
  }
  /// Columns `first` and on, where rows can be read.
  Value stage(Value accumulator, int64_t first, int64_t columns) const;
  Value map(mlir::Type type, mlir::ValueRange operands, MapBody body) const;
  /// Combines an accumulator's rows, or threads' shares of them.
  Value combine(tile::Reduction kind, Value values) const;
  /// Combines each thread's share, as input of another combine.
  Value combineShares(tile::Reduction kind, Value accumulator) const;

  // Loops. Bodies get code that writes inside of them.
  using Body = llvm::function_ref<void(TileCode, Value index)>;
  using Element = llvm::function_ref<Value(TileCode, Value index)>;
  /// Every row below `count`, dealt to the warps of the grid.
  void gridRows(Value count, Body body) const;
  /// Every pair of a row and a column of tiles.
  tile::TilesOp
  tiles(Value rows, Value columns,
        llvm::function_ref<void(TileCode, Value row, Value column)> body) const;
  /// Creates a pipeline: `produce` fills the buffers of each step, `consume`
  /// reads them; the number of stages defaults to the schedule's.
  llvm::SmallVector<Value> pipeline(
      Value steps, mlir::TypeRange buffers, mlir::ValueRange inits,
      int64_t stages,
      llvm::function_ref<void(TileCode, Value step, mlir::ValueRange buffers)>
          produce,
      llvm::function_ref<llvm::SmallVector<Value>(TileCode, Value step,
                                                  mlir::ValueRange buffers,
                                                  mlir::ValueRange carried)>
          consume) const;
  /// Emits a loop over the rows below `count`, of a tile of `extent`,
  /// distributed over the warps of the CTA.
  void tileRows(Value count, int64_t extent, Body body) const;
  /// Directly in rows: uniform over the warp.
  void loop(Value from, Value to, Body body) const;
  void columns(Value from, Value to, Body body) const;
  Value reduce(tile::Reduction kind, Value from, Value to,
               Element element) const;
  /// `scf.for` in steps of 1 over scalars.
  llvm::SmallVector<Value>
  accumulate(Value from, Value to, mlir::ValueRange init,
             llvm::function_ref<llvm::SmallVector<Value>(TileCode, Value index,
                                                         mlir::ValueRange)>
                 body) const;
  void when(Value condition, llvm::function_ref<void(TileCode)> body) const;
  /// Both sides give one value.
  Value ifElse(Value condition, llvm::function_ref<Value(TileCode)> then,
               llvm::function_ref<Value(TileCode)> otherwise) const;
};

/// Returns `index - first`: the addend of `first`, if it is visible.
mlir::Value createDistance(const RowCode &code, mlir::Value index,
                           mlir::Value first);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_TILECODE_H
