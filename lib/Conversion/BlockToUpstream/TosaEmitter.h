//===- TosaEmitter.h - steps in TOSA --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Numbers are constants of one element, quotients are products with
// reciprocals, square roots are reciprocals of `tosa.rsqrt`. A shape may have
// one dynamic size.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_TOSAEMITTER_H
#define PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_TOSAEMITTER_H

#include "TensorEmitter.h"

namespace parablock {

class TosaEmitter final : public TensorEmitter {
public:
  using TensorEmitter::constant;
  using TensorEmitter::TensorEmitter;

  mlir::Value unary(Unary kind, mlir::Value input) override;
  mlir::Value binary(Binary kind, mlir::Value a, mlir::Value b) override;
  mlir::Value binary(Binary kind, mlir::Value a, double b) override;
  mlir::Value select(mlir::Value condition, mlir::Value a,
                     double otherwise) override;
  mlir::Value cast(mlir::Value input, mlir::Type element) override;
  mlir::Value reduce(Reduction kind, mlir::Value input, unsigned dim) override;
  mlir::Value matmul(mlir::Value a, mlir::Value b) override;
  mlir::Value gatherRows(mlir::Value table, mlir::Value indices) override;
  mlir::Value transpose(mlir::Value input,
                        llvm::ArrayRef<int64_t> permutation) override;
  mlir::Value split(mlir::Value input, unsigned dim,
                    llvm::ArrayRef<Size> sizes) override;
  mlir::Value merge(mlir::Value input, unsigned first, unsigned count) override;
  mlir::Value repeat(mlir::Value input, unsigned dim, Size size) override;
  mlir::Value slice(mlir::Value input, unsigned dim, int64_t offset,
                    int64_t size) override;
  mlir::Value concat(llvm::ArrayRef<mlir::Value> inputs, unsigned dim) override;
  mlir::Value constant(mlir::DenseElementsAttr value) override;
  mlir::FailureOr<mlir::Value> iota(Size size) override;

private:
  /// A number of an element type, in a tensor of `rank` dimensions of 1.
  mlir::Value number(mlir::Type element, double value, unsigned rank);
  /// Returns a shape value; a dynamic size is -1.
  mlir::Value shape(llvm::ArrayRef<int64_t> sizes);
  mlir::Value reshape(mlir::Value input, llvm::ArrayRef<int64_t> sizes);
  template <typename OpT>
  mlir::Value elementwise(llvm::ArrayRef<mlir::Value> operands);
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_TOSAEMITTER_H
