//===- MultiplyWgmma.cpp - tile products by wgmma -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Multiply.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

/// What the instruction wants to know of an operand: its address in units of 16
/// bytes, and how its 8-row groups of 128-byte swizzled rows follow each other.
static Value createDescriptor(DeviceBuilder &builder, Value address) {
  constexpr int64_t groupDistance = 8 * 128 / 16; // bits 32 to 45
  constexpr int64_t swizzle128 = 1;               // bits 62 and 63
  // The distance along the depth, bits 16 to 29, is unused with this swizzle.
  constexpr int64_t format =
      swizzle128 << 62 | groupDistance << 32 | int64_t(1) << 16;
  Value bytes =
      LLVM::PtrToIntOp::create(builder, builder.getI32Type(), address);
  Value units = builder.remainder(builder.divide(bytes, 16), 1 << 14);
  return arith::OrIOp::create(builder, builder.extend64(units),
                              builder.constant64(format));
}

Value parablock::tile::createWgmmaProduct(DeviceBuilder &builder,
                                          const Product &product) {
  MLIRContext *context = builder.getContext();
  // Each warpgroup multiplies 64 rows of the left operand.
  Value group = builder.divide(builder.warpIndex(), 4);
  Value left = createDescriptor(
      builder, builder.offset(product.left,
                              builder.multiply(
                                  group, 64 * product.leftType.getRowBytes())));
  Value right = createDescriptor(builder, product.right);
  auto shape =
      NVVM::MMAShapeAttr::get(context, 64, product.rightType.getRows(), 16);
  auto type = NVVM::WGMMATypesAttr::get(
      context, product.leftType.getElementType().isBF16()
                   ? NVVM::WGMMATypes::bf16
                   : NVVM::WGMMATypes::f16);
  auto f32 = NVVM::WGMMATypesAttr::get(context, NVVM::WGMMATypes::f32);
  auto one = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
  auto accumulate =
      NVVM::WGMMAScaleOutAttr::get(context, NVVM::WGMMAScaleOut::one);
  auto row = NVVM::MMALayoutAttr::get(context, NVVM::MMALayout::row);
  auto column = NVVM::MMALayoutAttr::get(context, NVVM::MMALayout::col);

  NVVM::WgmmaFenceAlignedOp::create(builder);
  Value accumulator = product.accumulator;
  for (int64_t depth = 0; depth < product.leftType.getColumns(); depth += 16) {
    // 16 columns are two units.
    Value step = builder.constant64(depth / 8);
    accumulator = NVVM::WgmmaMmaAsyncOp::create(
        builder, accumulator.getType(), accumulator,
        builder.createOrFold<arith::AddIOp>(left, step),
        builder.createOrFold<arith::AddIOp>(right, step), shape, type, type,
        f32, accumulate, one, one, row, column, NVVM::MMAIntOverflowAttr());
  }
  NVVM::WgmmaGroupSyncAlignedOp::create(builder);
  return accumulator;
}
