//===- Accesses.cpp - lowers loads, stores and scratch --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceBuilder.h"
#include "TilePattern.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace parablock::tile;

static Type getElementType(Type place) {
  auto buffer = dyn_cast<BufferType>(place);
  return buffer ? buffer.getElementType()
                : cast<MemRefType>(place).getElementType();
}

static Value round(OpBuilder &builder, Location loc, Type type, Value value) {
  if (type == value.getType())
    return value;
  return arith::TruncFOp::create(builder, loc, type, value);
}

static Value extend(OpBuilder &builder, Location loc, Type type, Value value) {
  if (type == value.getType())
    return value;
  return arith::ExtFOp::create(builder, loc, type, value);
}

/// Returns the type of an element in memory: a byte for a truth value.
static Type getMemoryType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : element;
}

static Value toMemory(OpBuilder &builder, Location loc, Type type,
                      Value value) {
  if (type.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, getMemoryType(type), value);
  return round(builder, loc, type, value);
}

static Value fromMemory(OpBuilder &builder, Location loc, Type type,
                        Value element) {
  if (!type.isInteger(1))
    return extend(builder, loc, type, element);
  Value zero = arith::ConstantIntOp::create(builder, loc, element.getType(), 0);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, element,
                               zero);
}

/// `place` is the original operand, `base` its converted value.
static Value createAddress(OpBuilder &builder, Location loc,
                           const LoweringContext &lowering, Value place,
                           Value base, ValueRange indices) {
  if (auto buffer = dyn_cast<BufferType>(place.getType()))
    return createBufferAddress(builder, loc, buffer, base, indices[0],
                               indices[1]);
  Value row = indices.size() == 2 ? indices[0] : Value();
  return createTensorAddress(builder, loc, lowering, place, row,
                             indices.back());
}

namespace {
struct LowerLoad : public TilePattern<LoadOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value address = createAddress(rewriter, loc, lowering, op.getSource(),
                                  adaptor.getSource(), adaptor.getIndices());
    Type type = getMemoryType(getElementType(op.getSource().getType()));
    Value element = LLVM::LoadOp::create(rewriter, loc, type, address);
    rewriter.replaceOp(op, fromMemory(rewriter, loc, op.getType(), element));
    return success();
  }
};

struct LowerStore : public TilePattern<StoreOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    bool synchronize = op.getSynchronized();
    if (synchronize)
      createWarpBarrier(rewriter, loc);
    if (op.getLanes() == Lanes::First) {
      Value isFirst = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, createLaneId(rewriter, loc),
          createI32(rewriter, loc, 0));
      auto once = scf::IfOp::create(rewriter, loc, isFirst);
      if (synchronize)
        createWarpBarrier(rewriter, loc);
      rewriter.setInsertionPointToStart(once.thenBlock());
    }
    Type type = getElementType(op.getDestination().getType());
    Value address =
        createAddress(rewriter, loc, lowering, op.getDestination(),
                      adaptor.getDestination(), adaptor.getIndices());
    Value element = toMemory(rewriter, loc, type, adaptor.getValue());
    LLVM::StoreOp::create(rewriter, loc, element, address);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerReport : public TilePattern<ReportOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(ReportOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    DeviceBuilder builder(op.getLoc(), rewriter);
    Value isFirst = builder.compare(arith::CmpIPredicate::eq,
                                    builder.laneIndex(), builder.constant(0));
    builder.when(isFirst, [&] {
      auto clamp = [&](Value x, int64_t least, int64_t most) -> Value {
        x = arith::MaxSIOp::create(builder, x, builder.constant64(least));
        return arith::MinSIOp::create(builder, x, builder.constant64(most));
      };
      Value detail = clamp(adaptor.getDetail(), INT32_MIN, INT32_MAX);
      detail = arith::AndIOp::create(builder, detail,
                                     builder.constant64(UINT32_MAX));
      Value place =
          arith::SubIOp::create(builder, builder.constant64(UINT32_MAX),
                                builder.extend64(adaptor.getPlace()));
      place = arith::ShLIOp::create(builder, place, builder.constant64(32));
      Value address =
          createTensorAddress(builder, op.getLoc(), lowering, op.getWord(),
                              /*row=*/Value(), builder.constant(0));
      LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::umax, address,
                                arith::OrIOp::create(builder, place, detail),
                                LLVM::AtomicOrdering::monotonic);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerRound : public TilePattern<RoundOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(RoundOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value rounded = round(rewriter, loc, op.getType(), adaptor.getValue());
    rewriter.replaceOp(op,
                       extend(rewriter, loc, rewriter.getF32Type(), rounded));
    return success();
  }
};

struct LowerScratch : public TilePattern<ScratchOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(ScratchOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t bytes = op.getBuffer().getType().getBytes();
    Value first = createSharedAddress(rewriter, loc, *op.getOffset());
    Value offset =
        arith::MulIOp::create(rewriter, loc, createWarpId(rewriter, loc),
                              createI32(rewriter, loc, bytes));
    rewriter.replaceOp(op, createByteOffset(rewriter, loc, first, offset));
    return success();
  }
};

struct LowerDim : public TilePattern<DimOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(DimOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, lowering.getDim(rewriter, op.getLoc(),
                                           op.getTensor(), op.getDim()));
    return success();
  }
};
} // namespace

void parablock::tile::addAccessPatterns(TilePatterns &patterns) {
  patterns.add<LowerDim, LowerLoad, LowerReport, LowerRound, LowerScratch,
               LowerStore>();
}
