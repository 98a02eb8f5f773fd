//===- Join.cpp - what the last of several CTAs does ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every CTA publishes its stores and then increments a counter; the CTA that
// finds all others done continues, after acquiring what they published. No CTA
// waits for another, so any number may run at a time.
//
//===----------------------------------------------------------------------===//

#include "DeviceBuilder.h"
#include "TilePattern.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
struct LowerJoin : public TilePattern<JoinOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(JoinOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    DeviceBuilder builder(loc, rewriter);
    int64_t offset = *op.getOffset();
    Value arrivals = createSharedAddress(builder, loc, offset);
    Value last = builder.subtract(adaptor.getCount(), builder.constant(1));
    createComputeBarrier(builder, loc, lowering);
    Value isFirst = builder.compare(arith::CmpIPredicate::eq,
                                    builder.threadIndex(), builder.constant(0));
    builder.when(isFirst, [&] {
      Value counter =
          createTensorAddress(builder, loc, lowering, op.getCounters(),
                              /*row=*/Value(), adaptor.getIndex());
      // After the barrier, so that it covers the stores of all threads.
      NVVM::MembarOp::create(builder, NVVM::MemScopeKind::GPU);
      Value before = LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::add,
                                               counter, builder.constant(1),
                                               LLVM::AtomicOrdering::monotonic);
      NVVM::MembarOp::create(builder, NVVM::MemScopeKind::GPU);
      builder.store(before, arrivals);
      Value isLast = builder.compare(arith::CmpIPredicate::eq, before, last);
      builder.when(isLast, [&] {
        auto reset = LLVM::StoreOp::create(builder, builder.constant(0),
                                           counter, /*alignment=*/4);
        reset.setOrdering(LLVM::AtomicOrdering::monotonic);
      });
    });
    createComputeBarrier(builder, loc, lowering);
    Value before = builder.load(builder.getI32Type(), arrivals);
    Value isLast = builder.compare(arith::CmpIPredicate::eq, before, last);
    auto branch = scf::IfOp::create(builder, isLast, /*withElseRegion=*/false);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    inlineBody(rewriter, *getTypeConverter(), op.getBody(), {});
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void parablock::tile::addJoinPatterns(TilePatterns &patterns) {
  patterns.add<LowerJoin>();
}
