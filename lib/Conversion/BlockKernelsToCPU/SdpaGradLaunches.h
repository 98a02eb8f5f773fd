//===- SdpaGradLaunches.h - launches of attention's gradients ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADLAUNCHES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADLAUNCHES_H

#include "KernelLibrary.h"
#include "SdpaGradKernel.h"
#include "TensorSource.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::cpugen {

/// Adds the launches of a block.sdpa_grad: one over heads, one for score_bias,
/// and one for each result that is a sum over heads or batch rows.
class SdpaGradLaunches : LaunchWriter {
public:
  using LaunchWriter::LaunchWriter;

  mlir::LogicalResult add(block::SdpaGradOp op);

private:
  using Tensor = plan::TensorOp;
  using Tensors = llvm::SmallVector<Tensor>;
  struct Attention;

  /// Returns the tensor of `info`: the result of that `name`, or a new
  /// one.
  Tensor makeTensor(const Attention &of, const GradTensorInfo &info,
                    const llvm::Twine &name, GradLaunch launch);
  mlir::FailureOr<llvm::DenseMap<GradTensor, Tensor>>
  addLaunch(const Attention &of, GradLaunch launch);
  mlir::LogicalResult addResult(const Attention &of, llvm::StringRef name,
                                Value result,
                                const llvm::DenseMap<GradTensor, Tensor> &made);

  KernelCache<KernelCode> kernels[2];
  KernelNames names;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADLAUNCHES_H
