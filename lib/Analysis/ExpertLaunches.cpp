//===- ExpertLaunches.cpp - launches of experts on GPUs -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/ExpertLaunches.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/ComputedRows.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// The contract:
/// 1. The kernel is the norm of its first operand, with partial statistics.
/// 2. The experts read its result as their input, and nothing else reads it.
/// 3. They read rows as they are, of the type of their stacks.
ExpertsOp parablock::findGatheringExperts(KernelOp kernel) {
  if (kernel.getKind() != KernelKind::Rows || kernel.getNumResults() != 1 ||
      !kernel->hasOneUse())
    return {};
  Block &body = kernel.getBody().front();
  std::optional<ComputedRows> rows =
      findComputedRows(body.getTerminator()->getOperand(0));
  if (!rows || rows->take || rows->getSource() != body.getArgument(0) ||
      !llvm::equal(rows->getOps(),
                   llvm::make_pointer_range(body.without_terminator())))
    return {};
  OpOperand &use = *kernel->use_begin();
  auto experts = dyn_cast<ExpertsOp>(use.getOwner());
  if (!experts || &use != &experts.getInputMutable() ||
      experts.getForm().getWeigh() == Weigh::Input ||
      getElementTypeOrSelf(use.get()) !=
          getElementTypeOrSelf(experts.getUpWeight()))
    return {};
  return experts;
}
