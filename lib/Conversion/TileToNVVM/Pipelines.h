//===- Pipelines.h - the two forms of a pipeline ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_PIPELINES_H
#define PARABLOCK_CONVERSION_TILETONVVM_PIPELINES_H

#include "SharedRing.h"

namespace parablock::tile {

/// A tile.pipeline with its operands converted, and the lowering of its
/// regions.
class PipelineLowering {
public:
  PipelineLowering(PipelineOp pipeline, mlir::Value steps,
                   mlir::ValueRange inits, const LoweringContext &context,
                   mlir::ConversionPatternRewriter &rewriter)
      : pipeline(pipeline), steps(steps), inits(inits), context(context),
        rewriter(rewriter), builder(pipeline.getLoc(), rewriter),
        ring(pipeline, context) {}

  /// The results.
  llvm::SmallVector<mlir::Value> createInSoftware();
  llvm::SmallVector<mlir::Value> createConsumer();
  /// Creates the consumer for deferred products.
  llvm::SmallVector<mlir::Value> createOverlappingConsumer();
  bool isOverlapping() const { return ring.getNumGroups() > 1; }
  /// Creates the producer, which has no result.
  void createProducer();

private:
  friend class OverlappingConsumer;

  /// Fills a stage by the threads that compute.
  void produce(mlir::Value step, mlir::Value stage);
  /// Fills one by tensor maps, once it is empty; barriers count the bytes.
  void produceWithMaps(mlir::Value step, SharedRing::State state);
  /// Produces after the constants of the first `ahead` steps.
  void produceBehind(mlir::Value ahead, mlir::Value step,
                     SharedRing::State state);
  /// Copies constants, whose barrier then also counts the rest; or copies the
  /// rest.
  void produceConstants(mlir::Value step, mlir::Value stage);
  void produceRest(mlir::Value step, mlir::Value stage);
  bool isConstant(CopyOp copy) const {
    return context.getTensor(copy.getSource()).isConstant;
  }
  /// Lets the thread fill the ring with constants and wait for the previous
  /// launch, the first time it comes here; returns the number of filled
  /// steps.
  mlir::Value waitForLaunch();
  /// Copies the region that fills a stage to here; its copies.
  llvm::SmallVector<CopyOp> cloneProduce(mlir::Value step, mlir::Value stage);
  /// Replaces a copy by the ops that `create` creates.
  void replaceCopy(CopyOp copy,
                   llvm::function_ref<void(DeviceBuilder &)> create);
  /// Clears rows of a filled stage from the ends of copies on.
  void clearPastEnds(mlir::Value step, mlir::Value stage);
  bool hasEnds();
  llvm::SmallVector<mlir::Value> consume(mlir::Value step, mlir::Value stage,
                                         mlir::ValueRange carried);
  void expectBytes(llvm::ArrayRef<CopyOp> copies, mlir::Value barrier);
  void waitForCopies(int64_t pending);
  void commitCopies();
  void waitFor(mlir::Value barrier, mlir::Value parity);
  /// One arrival of this warp, in every CTA of the cluster.
  void release(mlir::Value stage, mlir::Value condition = {},
               int64_t group = 0);
  mlir::Value isLess(mlir::Value a, mlir::Value b);
  llvm::SmallVector<mlir::Value> castArguments(mlir::Value step,
                                               mlir::Value stage);

  PipelineOp pipeline;
  mlir::Value steps;
  mlir::ValueRange inits;
  const LoweringContext &context;
  mlir::ConversionPatternRewriter &rewriter;
  DeviceBuilder builder;
  SharedRing ring;
};

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_PIPELINES_H
