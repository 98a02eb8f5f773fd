//===- Convert.h - StableHLO ops and their counterparts ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_STABLEHLO_CONVERT_H
#define PARABLOCK_LIB_STABLEHLO_CONVERT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace parablock::hlo {

/// True where StableHLO or its companion has the op.
bool isStablehlo(mlir::Operation *op);

/// True for what computes sizes in lists.
bool isShape(mlir::Operation *op);

/// One op that is converted: what it says, and where its counterpart goes.
class Conversion {
public:
  Conversion(mlir::Operation *op) : op(op), builder(op), loc(op->getLoc()) {}

  /// The counterpart, or null where there is none; errors that say more were
  /// emitted then.
  mlir::Value convert();
  /// The same in place of an op on lists of sizes; fails, with an error, where
  /// there is none.
  llvm::LogicalResult convertShape();

  mlir::Value operand(unsigned k) const { return op->getOperand(k); }
  static mlir::RankedTensorType typeOf(mlir::Value value) {
    return mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
  }
  mlir::RankedTensorType getResultType() const {
    return typeOf(op->getResult(0));
  }
  /// An attribute by the name it has in either form of text.
  mlir::Attribute get(llvm::StringRef name, llvm::StringRef other = "") const;
  /// A list of numbers, however it is written; empty where there is none.
  llvm::SmallVector<int64_t> getNumbers(llvm::StringRef name,
                                        llvm::StringRef other = "") const;
  static llvm::SmallVector<int64_t> readNumbers(mlir::Attribute attribute);
  /// Of a comparison: `EQ`, `LT` and so on.
  llvm::StringRef getDirection() const;

private:
  using Sizes = llvm::ArrayRef<mlir::OpFoldResult>;

  // ConvertElementwise.cpp
  mlir::Value convertElementwise();
  mlir::Value convertLogistic(mlir::Value x);
  mlir::Value convertSign(mlir::Value x);
  mlir::Value convertIsFinite(mlir::Value x);
  mlir::Value convertUnary(llvm::StringRef name, mlir::Value x);
  mlir::Value divideWhole(bool isRest, mlir::Value a, mlir::Value b);
  mlir::Value convertBinary(llvm::StringRef name, mlir::Value a, mlir::Value b);
  mlir::Value convertCompare(mlir::Value a, mlir::Value b);
  mlir::Value convertSelect(mlir::Value condition, mlir::Value a,
                            mlir::Value b);
  mlir::Value convertClamp(mlir::Value low, mlir::Value x, mlir::Value high);
  mlir::Value convertToWhole(mlir::Value x, mlir::RankedTensorType type);
  mlir::Value convertType(mlir::Value x, mlir::Type element);
  template <typename NumberT>
  mlir::Value fill(mlir::Value like, NumberT number);
  /// Operands whose open sizes are those of the result.
  llvm::SmallVector<mlir::Value> getOperandsAlike();

  // ConvertMoves.cpp
  mlir::Value convertMove();
  mlir::Value convertConstant();
  mlir::Value convertSlice();
  mlir::Value convertPad();
  mlir::Value convertTranspose();
  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<int64_t> shape);
  mlir::Value iota(int64_t dim, Sizes sizes);
  /// Dimension `k` of `x` is dimension `dims[k]` of the result.
  mlir::Value broadcast(mlir::Value x, mlir::RankedTensorType type,
                        llvm::ArrayRef<int64_t> dims, Sizes sizes);

  // ConvertGather.cpp
  mlir::Value convertGather();

  // ConvertContractions.cpp
  mlir::Value convertDotGeneral();
  mlir::Value convertReduce();
  mlir::Value sumProducts(llvm::ArrayRef<mlir::Value> factors,
                          llvm::ArrayRef<mlir::AffineMap> maps, Sizes sizes);

  // ConvertConvolution.cpp
  mlir::Value convertConvolution();
  mlir::Value padSpatial(mlir::Value data, llvm::ArrayRef<int64_t> places,
                         llvm::ArrayRef<int64_t> pads);

  // ConvertSizes.cpp
  mlir::Value convertOpen();
  mlir::Value convertDimensionSize();
  mlir::Value convertOpenReshape();
  mlir::Value convertOpenSlice();
  mlir::Value convertDynamicSlice();
  mlir::Value convertDynamicUpdate();
  /// Element `k` of a tensor of numbers, and all of them as sizes.
  mlir::Value readElement(mlir::Value tensor, int64_t k);
  mlir::OpFoldResult readSize(mlir::Value tensor, int64_t k);
  llvm::SmallVector<mlir::OpFoldResult> readSizes(mlir::Value shape,
                                                  mlir::RankedTensorType type);
  llvm::SmallVector<mlir::OpFoldResult> readStarts(unsigned first,
                                                   mlir::RankedTensorType whole,
                                                   mlir::RankedTensorType part);
  /// Sizes of a value, and a tensor that is going to be of those.
  llvm::SmallVector<mlir::OpFoldResult> getSizes(mlir::Value value);
  mlir::Value makeEmpty(mlir::RankedTensorType type, Sizes sizes);

  // ConvertShapes.cpp
  using Row = llvm::SmallVector<mlir::OpFoldResult>;
  mlir::OpFoldResult findSize(mlir::Value value, int64_t d);
  std::optional<Row> readList(mlir::Value list);
  llvm::SmallVector<mlir::Value> readColumn(llvm::ArrayRef<Row> lists,
                                            size_t fromEnd);
  mlir::Value isOne(mlir::Value size);
  mlir::Value broadcastSizes(llvm::ArrayRef<Row> lists);
  void assertBroadcastable(llvm::ArrayRef<Row> lists);

  mlir::Operation *op;
  mlir::OpBuilder builder;
  mlir::Location loc;
};

} // namespace parablock::hlo

#endif // PARABLOCK_LIB_STABLEHLO_CONVERT_H
