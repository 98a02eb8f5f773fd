//===- Multiply.h - tile products by each unit ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_MULTIPLY_H
#define PARABLOCK_CONVERSION_TILETONVVM_MULTIPLY_H

#include "AccumulatorLayout.h"

namespace parablock::tile {

/// left[m, k] * right[n, k] of two swizzled buffers at these addresses, added
/// to the thread's share of the accumulator.
struct Product {
  BufferType leftType, rightType;
  mlir::Value left, right, accumulator;
};

/// mma.sync on 16-bit operands.
mlir::Value createMmaProduct(DeviceBuilder &builder, const Product &product,
                             const AccumulatorLayout &layout);

/// wgmma on 16-bit operands: issues and commits one group.
mlir::Value createWgmmaProduct(DeviceBuilder &builder, const Product &product);

/// Multiply-adds of f32.
mlir::Value createFmaProduct(DeviceBuilder &builder, const Product &product,
                             const AccumulatorLayout &layout);

/// The address of 16 bytes of a swizzled buffer.
mlir::Value createChunkAddress(DeviceBuilder &builder, mlir::Value buffer,
                               mlir::Value row, mlir::Value chunk);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_MULTIPLY_H
