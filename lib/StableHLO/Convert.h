//===- Convert.h - StableHLO ops and their counterparts ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_STABLEHLO_CONVERT_H
#define PARABLOCK_LIB_STABLEHLO_CONVERT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace parablock::hlo {

/// One op that is converted: what it says, and where its counterpart goes.
class Conversion {
public:
  Conversion(mlir::Operation *op) : op(op), builder(op), loc(op->getLoc()) {}

  /// The counterpart, or null where there is none; errors that say more were
  /// emitted then.
  mlir::Value convert();

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

private:
  // ConvertElementwise.cpp
  mlir::Value convertElementwise();
  mlir::Value convertUnary(llvm::StringRef name, mlir::Value x);
  mlir::Value convertBinary(llvm::StringRef name, mlir::Value a, mlir::Value b);
  mlir::Value convertCompare();
  mlir::Value convertSelect();
  mlir::Value convertClamp();
  mlir::Value convertType(mlir::Value x, mlir::Type element);
  mlir::Value fill(mlir::Value like, double number);

  // ConvertMoves.cpp
  mlir::Value convertMove();
  mlir::Value convertConstant();
  mlir::Value convertIota();
  mlir::Value convertSlice();
  mlir::Value convertPad();
  mlir::Value convertGather();
  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<int64_t> shape);
  /// Dimension `k` of `x` is dimension `dims[k]` of the result.
  mlir::Value broadcast(mlir::Value x, mlir::RankedTensorType type,
                        llvm::ArrayRef<int64_t> dims);

  // ConvertContractions.cpp
  mlir::Value convertDotGeneral();
  mlir::Value convertReduce();

  mlir::Operation *op;
  mlir::OpBuilder builder;
  mlir::Location loc;
};

} // namespace parablock::hlo

#endif // PARABLOCK_LIB_STABLEHLO_CONVERT_H
