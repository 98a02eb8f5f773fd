//===- Multiply.h - tile products by each unit ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_MULTIPLY_H
#define PARABLOCK_CONVERSION_TILETONVVM_MULTIPLY_H

#include "AccumulatorLayout.h"

namespace parablock::tile {

/// A swizzled buffer at this address: [row, depth], or [depth, row] where the
/// depth comes first.
struct Operand {
  BufferType type;
  mlir::Value address;
  bool isDepthFirst;

  int64_t getRows() const {
    return isDepthFirst ? type.getColumns() : type.getRows();
  }
  int64_t getDepth() const {
    return isDepthFirst ? type.getRows() : type.getColumns();
  }
};

/// left[m, k] * right[n, k], added to the thread's share of the accumulator.
struct Product {
  Operand left, right;
  mlir::Value accumulator;
};

/// mma.sync on 16-bit operands.
mlir::Value createMmaProduct(DeviceBuilder &builder, const Product &product,
                             const AccumulatorLayout &layout);

/// wgmma on 16-bit operands: issues and commits one group.
mlir::Value createWgmmaProduct(DeviceBuilder &builder, const Product &product);

/// Multiply-adds of f32.
mlir::Value createFmaProduct(DeviceBuilder &builder, const Product &product,
                             const AccumulatorLayout &layout);

/// The address of 16 bytes of a swizzled buffer; its chunks are counted through
/// all panels.
mlir::Value createChunkAddress(DeviceBuilder &builder, const Operand &buffer,
                               mlir::Value row, mlir::Value chunk);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_MULTIPLY_H
