//===- MultiplyWgmma.cpp - tile products by wgmma -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Multiply.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

/// What the instruction wants to know of an operand: its address in units of 16
/// bytes, and how its 8-row groups of 128-byte swizzled rows, and its panels,
/// follow each other.
static Value createDescriptor(DeviceBuilder &builder, const Operand &operand,
                              Value address) {
  constexpr int64_t groupDistance = 8 * 128 / 16; // bits 32 to 45
  constexpr int64_t swizzle128 = 1;               // bits 62 and 63
  // Bits 16 to 29. An operand with rows first has one panel, and the distance
  // is not used.
  int64_t panelDistance =
      operand.isDepthFirst ? operand.type.getPanelBytes() / 16 : 1;
  int64_t format = swizzle128 << 62 | groupDistance << 32 | panelDistance << 16;
  Value bytes =
      LLVM::PtrToIntOp::create(builder, builder.getI32Type(), address);
  Value units = builder.remainder(builder.divide(bytes, 16), 1 << 14);
  return arith::OrIOp::create(builder, builder.extend64(units),
                              builder.constant64(format));
}

/// From one step of 16 along the depth to the next, in units of 16 bytes.
static int64_t getDepthDistance(const Operand &operand) {
  int64_t bytes = operand.isDepthFirst ? 16 * operand.type.getRowBytes()
                                       : 16 * operand.type.getElementBytes();
  return bytes / 16;
}

Value parablock::tile::createWgmmaProduct(DeviceBuilder &builder,
                                          const Product &product) {
  MLIRContext *context = builder.getContext();
  // Each warpgroup multiplies 64 rows of the left operand: a panel, if those
  // are the buffer's columns.
  const Operand &leftOperand = product.left, &rightOperand = product.right;
  Value group = builder.divide(builder.warpIndex(), 4);
  int64_t groupBytes = leftOperand.isDepthFirst
                           ? leftOperand.type.getPanelBytes()
                           : 64 * leftOperand.type.getRowBytes();
  Value left = createDescriptor(
      builder, leftOperand,
      builder.offset(leftOperand.address, builder.multiply(group, groupBytes)));
  Value right = createDescriptor(builder, rightOperand, rightOperand.address);
  auto shape = NVVM::MMAShapeAttr::get(context, 64, rightOperand.getRows(), 16);
  auto type = NVVM::WGMMATypesAttr::get(
      context, leftOperand.type.getElementType().isBF16()
                   ? NVVM::WGMMATypes::bf16
                   : NVVM::WGMMATypes::f16);
  auto f32 = NVVM::WGMMATypesAttr::get(context, NVVM::WGMMATypes::f32);
  auto one = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
  auto accumulate =
      NVVM::WGMMAScaleOutAttr::get(context, NVVM::WGMMAScaleOut::one);
  auto leftLayout = NVVM::MMALayoutAttr::get(
      context,
      leftOperand.isDepthFirst ? NVVM::MMALayout::col : NVVM::MMALayout::row);
  auto rightLayout = NVVM::MMALayoutAttr::get(
      context,
      rightOperand.isDepthFirst ? NVVM::MMALayout::row : NVVM::MMALayout::col);

  NVVM::WgmmaFenceAlignedOp::create(builder);
  Value accumulator = product.accumulator;
  auto advance = [&](Value descriptor, const Operand &operand, int64_t step) {
    return builder.createOrFold<arith::AddIOp>(
        descriptor, builder.constant64(step * getDepthDistance(operand)));
  };
  for (int64_t step = 0; step < leftOperand.getDepth() / 16; ++step)
    accumulator = NVVM::WgmmaMmaAsyncOp::create(
        builder, accumulator.getType(), accumulator,
        advance(left, leftOperand, step), advance(right, rightOperand, step),
        shape, type, type, f32, accumulate, one, one, leftLayout, rightLayout,
        NVVM::MMAIntOverflowAttr());
  NVVM::WgmmaGroupSyncAlignedOp::create(builder);
  return accumulator;
}
