//===- GradientKernels.cpp - chooses the kernels of a gradient ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradientKernels.h"

#include "RowKernels.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;

unsigned LaunchSequence::append(tile::KernelOp kernel, ArrayRef<Source> inputs,
                                std::optional<unsigned> overwrites) {
  SmallVector<unsigned> sizesOf(kernel.getOutputs(), 0);
  launches.push_back(
      {kernel, SmallVector<Source>(inputs), sizesOf, {}, overwrites});
  return launches.size() - 1;
}

KernelShell GradientSite::createRowsShell(StringRef suffix,
                                          std::optional<int64_t> rows,
                                          TypeRange inputs,
                                          TypeRange outputs) const {
  return createKernelShell(atModule, op->getLoc(), (name + suffix).str(),
                           getRowSchedule(op->getContext(), rows, chip), inputs,
                           outputs, /*workspaces=*/{});
}

FailureOr<LaunchSequence>
parablock::buildGradientKernels(const GradientSite &site) {
  return llvm::TypeSwitch<Operation *, FailureOr<LaunchSequence>>(site.op)
      .Case([&](block::ColumnSumsOp) { return buildColumnSums(site); })
      .Case([&](block::EmbeddingGradOp) { return buildEmbeddingGrad(site); })
      .Case([&](block::WeightGradOp) { return buildWeightGrad(site); })
      .Case([&](block::SdpaGradOp) { return buildAttentionGrad(site); })
      .Case([&](block::ExpertsGradOp) { return buildExpertsGrad(site); })
      .Case([&](block::RouteGradOp) { return buildRouteGrad(site); })
      .Case([&](block::PatchEmbeddingGradOp) { return buildPatchGrad(site); })
      .Case([&](block::CrossEntropyOp) { return buildLoss(site); })
      .Case([&](block::CrossEntropyGradOp) { return buildLossGrad(site); })
      .Default([](Operation *) { return failure(); });
}
