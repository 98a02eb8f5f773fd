//===- LossLaunches.h - launches of a cross entropy -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LOSSLAUNCHES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LOSSLAUNCHES_H

#include "KernelLibrary.h"
#include "LossKernels.h"
#include "TensorSource.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::cpugen {

/// Adds a loss, its gradients or, if a function has both, all of them from the
/// same logits.
class LossLaunches : LaunchWriter {
public:
  using LaunchWriter::LaunchWriter;

  mlir::LogicalResult add(block::CrossEntropyOp op);
  mlir::LogicalResult add(block::CrossEntropyGradOp op);

private:
  using Tensor = plan::TensorOp;
  using Tensors = llvm::SmallVector<Tensor>;
  struct Loss;

  /// Reads the properties that both ops share.
  template <typename OpT> mlir::FailureOr<Loss> open(OpT op);
  /// Processes the chunks; `grad` is null if there are no gradients.
  mlir::FailureOr<Tensor> addChunks(const Loss &loss,
                                    block::CrossEntropyGradOp grad);
  mlir::FailureOr<Tensor> addFactor(const Loss &loss,
                                    block::CrossEntropyGradOp grad);
  void addSum(const Loss &loss, Tensor losses, Value result);
  /// Tensors of gradients, their factor, and the transposed weight; null for
  /// unwanted ones.
  struct Gradients {
    Tensor factor, transposed, byInput, byWeight, byBias;
  };
  mlir::FailureOr<Gradients> findGradients(const Loss &loss,
                                           block::CrossEntropyGradOp grad);
  /// Adds the launches of gradients by a chunk of gradients by logits.
  void addGradients(const Loss &loss, const Gradients &gradients, Tensor chunk,
                    int64_t number);
  void addLaunch(const Loss &loss, llvm::StringRef name,
                 llvm::function_ref<KernelCode(Frame &)> build, Tensors inputs,
                 Tensors outputs, int64_t chunk);
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LOSSLAUNCHES_H
