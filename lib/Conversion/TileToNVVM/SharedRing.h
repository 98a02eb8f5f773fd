//===- SharedRing.h - buffers of a pipeline ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A ring is `stages` times the buffers of one step and, if warps have roles,
// two mbarriers for each stage: `full` completes when a step's bytes have
// arrived, `empty` when every computing warp is done with them. Buffers of
// deferred products are released later than others, and have two separate
// barriers. All pipelines of a kernel with the same buffers share a ring in
// sequence.
//
// If warps have roles, copies for the next output tile begin while this one's
// are multiplied. So a thread never starts over: the next stage, and the parity
// of its phase, are kept in a variable of the thread.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_SHAREDRING_H
#define PARABLOCK_CONVERSION_TILETONVVM_SHAREDRING_H

#include "DeviceBuilder.h"

namespace parablock::tile {

/// Alignment of buffers, and of the tensor cores' swizzle pattern.
constexpr int64_t ringAlignment = 1024;

class SharedRing {
public:
  /// Before a pipeline has its offset, that is 0.
  SharedRing(PipelineOp pipeline, ScheduleAttr schedule);
  SharedRing(PipelineOp pipeline, const LoweringContext &context)
      : SharedRing(pipeline, context.schedule) {
    variables = context.rings.lookup(offset);
  }

  int64_t getStages() const { return stages; }
  /// Returns the number of groups of buffers with the same barriers.
  int64_t getNumGroups() const { return numGroups; }
  int64_t getGroup(int64_t buffer) const {
    return llvm::is_contained(deferredBuffers, buffer) ? 1 : 0;
  }
  /// Returns the bytes of buffers and barriers.
  int64_t getBytes() const;

  /// Addresses of a stage's buffers; `stage` is an i32.
  llvm::SmallVector<mlir::Value> createBuffers(DeviceBuilder &builder,
                                               mlir::Value stage) const;
  mlir::Value createFullBarrier(DeviceBuilder &builder, mlir::Value stage,
                                int64_t group = 0) const;
  mlir::Value createEmptyBarrier(DeviceBuilder &builder, mlir::Value stage,
                                 int64_t group = 0) const;

  /// The stage after `stage`, or `distance` after it, going round.
  mlir::Value createNext(DeviceBuilder &builder, mlir::Value stage,
                         int64_t distance = 1) const;

  /// Creates the barriers at the start of a kernel, for that many computing
  /// warps, in all CTAs of a cluster, by one thread, and the variables.
  void createBarriers(DeviceBuilder &builder, int64_t warps) const;
  mlir::Value createState(DeviceBuilder &builder) const;

  /// Reads and writes the variables.
  struct State {
    mlir::Value stage, parity;
  };
  State loadState(DeviceBuilder &builder) const;
  void storeState(DeviceBuilder &builder, State state) const;
  /// Read and write whether the thread has waited for the previous launch, if
  /// the pipeline does so.
  mlir::Value loadHasWaited(DeviceBuilder &builder) const;
  void storeHasWaited(DeviceBuilder &builder) const;
  /// The states after and before `state`.
  State createNext(DeviceBuilder &builder, State state) const;
  State createPrevious(DeviceBuilder &builder, State state) const;

private:
  mlir::Value createBarrier(DeviceBuilder &builder, int64_t first,
                            mlir::Value stage) const;

  int64_t offset = 0, stages, stageBytes = 0, numGroups = 1;
  bool hasBarriers, waits;
  mlir::Value variables;
  llvm::SmallVector<int64_t> bufferOffsets, deferredBuffers;
};

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_SHAREDRING_H
