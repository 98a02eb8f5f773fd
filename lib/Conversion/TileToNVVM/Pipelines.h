//===- Pipelines.h - the two forms of a pipeline ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_PIPELINES_H
#define PARABLOCK_CONVERSION_TILETONVVM_PIPELINES_H

#include "SharedRing.h"

namespace parablock::tile {

/// A tile.pipeline with its operands converted, and what is made of its
/// regions.
class PipelineLowering {
public:
  PipelineLowering(PipelineOp pipeline, mlir::Value steps,
                   mlir::ValueRange inits, const LoweringContext &context,
                   mlir::ConversionPatternRewriter &rewriter)
      : pipeline(pipeline), steps(steps), inits(inits), context(context),
        rewriter(rewriter), builder(pipeline.getLoc(), rewriter),
        ring(pipeline, context.schedule) {}

  /// The results.
  llvm::SmallVector<mlir::Value> createInSoftware();
  llvm::SmallVector<mlir::Value> createConsumer();
  /// Has no result.
  void createProducer();

private:
  /// Fills a stage. With a barrier, copies are by tensor map, and it counts
  /// their bytes.
  void produce(mlir::Value step, mlir::Value stage, mlir::Value barrier = {});
  llvm::SmallVector<mlir::Value> consume(mlir::Value step, mlir::Value stage,
                                         mlir::ValueRange carried);
  void expectBytes(llvm::ArrayRef<CopyOp> copies, mlir::Value barrier);
  void waitForCopies(int64_t pending);
  void commitCopies();
  void waitFor(mlir::Value barrier, mlir::Value parity);
  /// One arrival of this warp, in every CTA of the cluster.
  void release(mlir::Value stage, mlir::Value condition = {});
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
