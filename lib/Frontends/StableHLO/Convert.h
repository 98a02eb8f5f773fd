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

/// Returns true for ops that compute lists of sizes.
bool isShape(mlir::Operation *op);

/// The conversion of one op, with pieces that several kinds of counterparts
/// share.
class Conversion {
public:
  explicit Conversion(mlir::Operation *op)
      : Conversion(op, mlir::OpBuilder(op)) {}
  /// Builds at `at` instead of before the op.
  Conversion(mlir::Operation *op, const mlir::OpBuilder &at)
      : op(op), builder(at), loc(op->getLoc()) {}

  /// Finds an attribute by the name it has in either form of text.
  mlir::Attribute get(llvm::StringRef name, llvm::StringRef other = "") const;
  /// Finds a list of numbers, however it is written; empty where there is none.
  llvm::SmallVector<int64_t> getNumbers(llvm::StringRef name,
                                        llvm::StringRef other = "") const;
  static llvm::SmallVector<int64_t> readNumbers(mlir::Attribute attribute);
  /// Reads the word of one of the generic form's enums, under the enum's name.
  llvm::StringRef readWord(llvm::StringRef key, llvm::StringRef kind) const;
  /// Returns the direction of a comparison: `EQ`, `LT` and so on.
  llvm::StringRef getDirection() const;
  /// Returns whether a comparison is that of `type`: `UNSIGNED` and so on.
  bool hasCompareType(llvm::StringRef type) const;

  /// Reports that the op is invalid, and the expected form; returns null.
  mlir::Value refuse(const llvm::Twine &expected) const;

  static mlir::RankedTensorType typeOf(mlir::Value value) {
    return mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
  }

protected:
  using Sizes = llvm::ArrayRef<mlir::OpFoldResult>;

  mlir::Value operand(unsigned k) const { return op->getOperand(k); }
  mlir::RankedTensorType getResultType() const {
    return typeOf(op->getResult(0));
  }

  /// Return the sizes of a value, and create a tensor of such
  /// sizes.
  llvm::SmallVector<mlir::OpFoldResult> getSizes(mlir::Value value);
  mlir::Value makeEmpty(mlir::RankedTensorType type, Sizes sizes);
  /// Reads element `k` of a tensor of numbers, as itself and as a size.
  mlir::Value readElement(mlir::Value tensor, int64_t k);
  mlir::OpFoldResult readSize(mlir::Value tensor, int64_t k);
  mlir::Value iota(int64_t dim, Sizes sizes);
  /// Maps dimension `k` of `x` to dimension `dims[k]` of the result.
  mlir::Value broadcast(mlir::Value x, mlir::RankedTensorType type,
                        llvm::ArrayRef<int64_t> dims, Sizes sizes);
  mlir::Value sumProducts(llvm::ArrayRef<mlir::Value> factors,
                          llvm::ArrayRef<mlir::AffineMap> maps, Sizes sizes);

  mlir::Operation *op;
  mlir::OpBuilder builder;
  mlir::Location loc;
};

// Each gives the counterpart, or null where there is none.
mlir::Value convertElementwise(mlir::Operation *op);
mlir::Value convertMove(mlir::Operation *op);
mlir::Value convertGather(mlir::Operation *op);
mlir::Value convertDotGeneral(mlir::Operation *op);
mlir::Value convertReduce(mlir::Operation *op);
mlir::Value convertConvolution(mlir::Operation *op);
mlir::Value convertScatter(mlir::Operation *op);
mlir::Value convertRaggedDot(mlir::Operation *op);
mlir::Value convertCumulative(mlir::Operation *op);
/// Gives sorted vectors; none where the order is not that of integers.
llvm::SmallVector<mlir::Value> convertSort(mlir::Operation *op);
/// Gives counterparts of both results; none, with an error, for an invalid op.
llvm::SmallVector<mlir::Value> convertTopK(mlir::Operation *op);
/// Converts an op whose sizes are values.
mlir::Value convertOpen(mlir::Operation *op);
/// Replaces an op on lists of sizes by its counterpart; fails, with an error,
/// if there is none.
llvm::LogicalResult convertSizeList(mlir::Operation *op);

// Parts of `op`, which is not an elementwise op itself.
mlir::Value convertBinary(mlir::Operation *op, const mlir::OpBuilder &at,
                          llvm::StringRef name, mlir::Value a, mlir::Value b);
mlir::Value convertType(mlir::Operation *op, mlir::Value x, mlir::Type element);

} // namespace parablock::hlo

#endif // PARABLOCK_LIB_STABLEHLO_CONVERT_H
