//===- LinalgEmitter.h - steps in linalg on tensors -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Elementwise work is a `linalg.generic` per function, sums and maxima are
// reducing generics, products are `linalg.matmul` and `linalg.batch_matmul`,
// reshapes are `tensor.expand_shape` and `tensor.collapse_shape`.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LINALGEMITTER_H
#define PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LINALGEMITTER_H

#include "TensorEmitter.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace parablock {

class LinalgEmitter final : public TensorEmitter {
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
  /// The body of a generic: computes from its scalars.
  using Body = llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &,
                                              mlir::ValueRange)>;

  mlir::Value elementwise(llvm::ArrayRef<mlir::Value> operands,
                          mlir::Type element, Body body);
  mlir::Value empty(llvm::ArrayRef<Size> sizes, mlir::Type element);
  mlir::Value filled(llvm::ArrayRef<Size> sizes, mlir::TypedAttr value);
  mlir::OpFoldResult getFoldResult(const Size &size);
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LINALGEMITTER_H
