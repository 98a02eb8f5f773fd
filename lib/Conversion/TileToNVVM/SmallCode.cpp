//===- SmallCode.cpp - thread numbers, barriers and swizzles --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ColumnCount.h"
#include "OwnWarp.h"
#include "TilePattern.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

Value parablock::tile::createI32(OpBuilder &builder, Location loc,
                                 int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                      value);
}

Value parablock::tile::createF32(OpBuilder &builder, Location loc,
                                 float value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

//===----------------------------------------------------------------------===//
// Thread, lane and warp numbers
//===----------------------------------------------------------------------===//

Value parablock::tile::createThreadId(OpBuilder &builder, Location loc) {
  return NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
}

Value parablock::tile::createLaneId(OpBuilder &builder, Location loc) {
  return arith::AndIOp::create(builder, loc, createThreadId(builder, loc),
                               createI32(builder, loc, 31));
}

Value parablock::tile::createWarpId(OpBuilder &builder, Location loc) {
  return arith::ShRUIOp::create(builder, loc, createThreadId(builder, loc),
                                createI32(builder, loc, 5));
}

Value parablock::tile::createOwnWarpId(OpBuilder &builder, Location loc,
                                       ScheduleAttr schedule) {
  Value warp = createWarpId(builder, loc);
  if (schedule.getProducers() == 0 || !schedule.getWholeRows())
    return warp;
  return NVVM::ShflOp::create(
      builder, loc, warp.getType(), createI32(builder, loc, -1), warp,
      createI32(builder, loc, 0), createI32(builder, loc, 31),
      NVVM::ShflKind::idx, UnitAttr());
}

TileWarps parablock::tile::createTileWarps(OpBuilder &builder, Location loc,
                                           const LoweringContext &context,
                                           bool ofCluster) {
  Value warp = createOwnWarpId(builder, loc, context.schedule);
  int64_t warps = context.getWarps();
  if (!ofCluster)
    return {warp, warps};
  int64_t cluster = context.schedule.getCluster();
  Value before = arith::MulIOp::create(builder, loc,
                                       createClusterRank(builder, loc, cluster),
                                       createI32(builder, loc, warps));
  return {arith::AddIOp::create(builder, loc, before, warp), cluster * warps};
}

Value parablock::tile::createFirstRow(OpBuilder &builder, Location loc,
                                      Value warp, int64_t count,
                                      int64_t extent) {
  if (extent % count == 0)
    return arith::MulIOp::create(builder, loc, warp,
                                 createI32(builder, loc, extent / count));
  Value scaled = arith::MulIOp::create(builder, loc, warp,
                                       createI32(builder, loc, extent));
  return arith::DivUIOp::create(builder, loc, scaled,
                                createI32(builder, loc, count));
}

Value parablock::tile::createCTAId(OpBuilder &builder, Location loc) {
  return NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type());
}

Value parablock::tile::createNumCTAs(OpBuilder &builder, Location loc) {
  return NVVM::GridDimXOp::create(builder, loc, builder.getI32Type());
}

Value parablock::tile::createClusterRank(OpBuilder &builder, Location loc,
                                         int64_t size) {
  // The dimensions of grids and clusters are (n, 1, 1).
  return arith::RemUIOp::create(builder, loc, createCTAId(builder, loc),
                                createI32(builder, loc, size));
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void parablock::tile::createWarpBarrier(OpBuilder &builder, Location loc) {
  NVVM::SyncWarpOp::create(builder, loc, createI32(builder, loc, -1));
}

void parablock::tile::createComputeBarrier(OpBuilder &builder, Location loc,
                                           const LoweringContext &context) {
  // Number 0 is the barrier of all threads; 1 is that of computing warps.
  NVVM::BarrierOp::create(builder, loc, TypeRange(), createI32(builder, loc, 1),
                          createI32(builder, loc, context.getWarps() * 32),
                          /*reductionOp=*/nullptr,
                          /*reductionPredicate=*/nullptr);
}

void parablock::tile::keepRolled(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {},
      {});
  loop->setDiscardableAttr("llvm.loop_annotation",
                           LLVM::LoopAnnotationAttr::get(
                               context, /*disableNonforced=*/{},
                               /*vectorize=*/{}, /*interleave=*/{}, unroll, {},
                               {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}

void parablock::tile::createAsyncProxyFence(OpBuilder &builder, Location loc) {
  MLIRContext *context = builder.getContext();
  NVVM::FenceProxyOp::create(
      builder, loc,
      NVVM::ProxyKindAttr::get(context, NVVM::ProxyKind::async_shared),
      NVVM::SharedSpaceAttr::get(context, NVVM::SharedSpace::shared_cta));
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static Value createGEP(OpBuilder &builder, Location loc, Type elementType,
                       Value base, Value index) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), elementType, base,
                             LLVM::GEPArg(index),
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value parablock::tile::createByteOffset(OpBuilder &builder, Location loc,
                                        Value pointer, Value bytes) {
  return createGEP(builder, loc, builder.getI8Type(), pointer, bytes);
}

Value parablock::tile::createSharedAddress(OpBuilder &builder, Location loc,
                                           int64_t offset) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value base = LLVM::AddressOfOp::create(builder, loc, pointer, kSharedSymbol);
  if (offset == 0)
    return base;
  return createByteOffset(builder, loc, base, createI32(builder, loc, offset));
}

Value parablock::tile::createBufferAddress(OpBuilder &builder, Location loc,
                                           BufferType type, Value base,
                                           Value row, Value column) {
  auto constant = [&](int64_t value) { return createI32(builder, loc, value); };
  // Without overflow, the backend can prove which columns are neighbours, and
  // rows at a constant distance have one address.
  auto multiply = [&](Value value, int64_t by) -> Value {
    return arith::MulIOp::create(builder, loc, value, constant(by),
                                 arith::IntegerOverflowFlags::nsw);
  };
  auto add = [&](Value a, Value b) -> Value {
    return arith::AddIOp::create(builder, loc, a, b,
                                 arith::IntegerOverflowFlags::nsw);
  };
  Value first = multiply(row, type.getRowBytes());
  if (type.getLayout() != BufferLayout::Swizzled)
    return createByteOffset(builder, loc,
                            createByteOffset(builder, loc, base, first),
                            multiply(column, type.getElementBytes()));
  if (type.getPanels() > 1) {
    Value width = constant(type.getPanelColumns());
    Value panel = arith::DivUIOp::create(builder, loc, column, width);
    first = add(first, multiply(panel, type.getPanelBytes()));
    column = arith::RemUIOp::create(builder, loc, column, width);
  }
  Value within = multiply(column, type.getElementBytes());
  // The number of the chunk is in bits 4 to 6 of the byte.
  Value turn = arith::ShLIOp::create(
      builder, loc, arith::AndIOp::create(builder, loc, row, constant(7)),
      constant(4));
  within = arith::XOrIOp::create(builder, loc, within, turn);
  return createByteOffset(builder, loc, base, add(first, within));
}

/// Removes the constant from a sum that does not overflow, and returns it.
static int64_t takeConstant(Value &index) {
  auto sum = index.getDefiningOp<arith::AddIOp>();
  if (!sum || !bitEnumContainsAll(sum.getOverflowFlags(),
                                  arith::IntegerOverflowFlags::nsw))
    return 0;
  std::optional<int64_t> constant = getConstant(sum.getRhs());
  if (constant)
    index = sum.getLhs();
  return constant.value_or(0);
}

Value parablock::tile::createTensorAddress(OpBuilder &builder, Location loc,
                                           const LoweringContext &context,
                                           Value tensor, Value row,
                                           Value column) {
  auto type = cast<MemRefType>(tensor.getType());
  Type i64 = builder.getI64Type();
  auto widen = [&](Value value) -> Value {
    return arith::ExtSIOp::create(builder, loc, i64, value);
  };
  // Neighbours are recognised if their addresses differ by a constant.
  int64_t beyond = takeConstant(column);
  Value index = widen(column);
  if (row) {
    Value width =
        widen(context.getDim(builder, loc, tensor, type.getRank() - 1));
    index = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, widen(row), width),
        index);
  }
  auto source = tensor.getDefiningOp<UnrealizedConversionCastOp>();
  Value address = createGEP(builder, loc, type.getElementType(),
                            source.getInputs().front(), index);
  if (beyond == 0)
    return address;
  return LLVM::GEPOp::create(builder, loc, address.getType(),
                             type.getElementType(), address,
                             LLVM::GEPArg(static_cast<int32_t>(beyond)));
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

SmallVector<Value>
parablock::tile::inlineBody(ConversionPatternRewriter &rewriter,
                            const TypeConverter &converter, Region &region,
                            ValueRange values) {
  Block *body = &region.front();
  TypeConverter::SignatureConversion conversion(body->getNumArguments());
  for (auto [index, value] : llvm::enumerate(values))
    conversion.remapInput(index, value);
  OpBuilder::InsertPoint here = rewriter.saveInsertionPoint();
  body = rewriter.applySignatureConversion(body, conversion, &converter);
  auto yield = cast<YieldOp>(body->getTerminator());
  SmallVector<Value> yielded(yield.getValues());
  rewriter.eraseOp(yield);
  rewriter.restoreInsertionPoint(here);
  rewriter.inlineBlockBefore(body, here.getBlock(), here.getPoint());
  return yielded;
}
