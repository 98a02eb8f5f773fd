//===- RankLaunches.h - collectives and parts of tensors --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A sum over ranks is a launch of one item, or two: one that starts it, and one
// that waits for it, if something can be computed in between. MLIR has no other
// collective MPI op, so the others are derived from it: a gather is the sum of
// parts padded with zeros, which on integers is exact for any bits, and a
// reduce-scatter takes its part of a sum. Rows of experts go by MPI_Alltoallv.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_RANKLAUNCHES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_RANKLAUNCHES_H

#include "KernelLibrary.h"
#include "TensorSource.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Analysis/Collectives.h"
#include "parablock/Engines/CPU/CpuProgram.h"

namespace parablock::cpugen {

/// Returns whether RankLaunches::add supports it.
bool isRankStep(mlir::Operation *op);

class RankLaunches : LaunchWriter {
public:
  RankLaunches(PlanWriter &plan, KernelLibrary &library, TensorSource &source,
               const CpuRank &rank, OpSet exposed)
      : LaunchWriter(plan, library, source), rank(rank),
        exposed(std::move(exposed)) {}

  mlir::LogicalResult add(mlir::Operation *op);

private:
  using Tensor = plan::TensorOp;
  struct Part;

  Tensor addStep(llvm::StringRef name, Launch launch, const Shape &shape);
  Tensor addMove(llvm::StringRef name, const KernelCode &kernel,
                 llvm::ArrayRef<Tensor> operands, const Part &part,
                 const Shape &whole, const Shape &result);
  /// Writes `tensor` as a part into `base`, or into zeros.
  Tensor addPut(const Part &part, Tensor tensor, Tensor base,
                const Shape &whole);
  Tensor addTake(const Part &part, Tensor whole);
  Tensor addSum(llvm::StringRef name, Tensor summand, mlir::Type unit);
  /// Adds a sum as two launches.
  Tensor addStartedSum(llvm::StringRef name, Tensor summand, mlir::Type unit);
  /// Returns a launch with the sizes of `summand` in units.
  Launch startSum(const KernelCode &kernel, Tensor summand, mlir::Type unit);
  OpFoldResult number(int64_t value) const {
    return makeSize(plan.builder.getContext(), value);
  }
  Part getShare(const llvm::APInt &dim, OpFoldResult size) const;

  template <typename OpT> mlir::FailureOr<Tensor> addReduction(OpT op);
  mlir::FailureOr<Tensor> addGather(mlir::shard::AllGatherOp op);
  mlir::FailureOr<Tensor> addScatter(mlir::shard::ReduceScatterOp op);
  mlir::FailureOr<Tensor> addShare(mlir::shard::AllSliceOp op);
  template <typename OpT> mlir::FailureOr<Tensor> addExchange(OpT op);
  mlir::FailureOr<Tensor> addInsertion(mlir::tensor::InsertSliceOp op);
  mlir::FailureOr<Tensor> addColumns(mlir::tensor::ExtractSliceOp op);

  const CpuRank &rank;
  /// Sums that nothing can be computed beside.
  const OpSet exposed;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_RANKLAUNCHES_H
