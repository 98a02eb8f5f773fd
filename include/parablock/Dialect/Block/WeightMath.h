//===- WeightMath.h - formulas of weights -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_WEIGHTMATH_H
#define PARABLOCK_IR_WEIGHTMATH_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"

namespace parablock::block {

/// The words that formulas of weights are built with (WeightOpInterface).
/// Values are numbers of one float type, or tensors of such.
class WeightMath {
public:
  virtual ~WeightMath() = default;

  /// The element of an operand that the formula reads.
  virtual mlir::Value element(unsigned operand) = 0;
  /// The number of `numbers` that an operand's code stands for: of the low or
  /// the high half of a byte, by the last loop, where there are but 16.
  virtual mlir::Value decode(unsigned operand,
                             llvm::ArrayRef<double> numbers) = 0;
  virtual mlir::Value number(double value) = 0;
  virtual mlir::Value add(mlir::Value a, mlir::Value b) = 0;
  virtual mlir::Value add(mlir::Value a, double b) = 0;
  virtual mlir::Value multiply(mlir::Value a, mlir::Value b) = 0;
  virtual mlir::Value multiply(mlir::Value a, double b) = 0;
  /// 1 on the diagonal of a matrix, 0 elsewhere.
  virtual mlir::Value identity() = 0;
};

} // namespace parablock::block

#endif // PARABLOCK_IR_WEIGHTMATH_H
