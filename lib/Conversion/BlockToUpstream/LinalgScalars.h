//===- LinalgScalars.h - bodies of elementwise generics ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LINALGSCALARS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LINALGSCALARS_H

#include "TensorEmitter.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace parablock {

mlir::Value buildUnary(mlir::ImplicitLocOpBuilder &b, Unary kind,
                       mlir::Value x);
mlir::Value buildBinary(mlir::ImplicitLocOpBuilder &b, Binary kind,
                        mlir::Value x, mlir::Value y);
/// Between floats and integers of any width; truth values count 0 and 1.
mlir::Value buildCast(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                      mlir::Type to);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_LINALGSCALARS_H
