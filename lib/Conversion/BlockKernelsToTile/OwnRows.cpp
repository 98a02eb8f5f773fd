//===- OwnRows.cpp - rows that products compute, or launches before -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OwnRows.h"

#include "KernelShell.h"
#include "parablock/Analysis/ProductTiles.h"
#include "parablock/Dialect/Block/ComputedRows.h"

using namespace mlir;
using namespace parablock;

/// Returns the most rows that the few-row kernel of `kernel` computes.
static int64_t countMostComputed(block::KernelOp kernel) {
  auto codes = kernel.getBody().front().getOps<block::UnpackWeightOp>();
  bool hasGroups = llvm::any_of(
      codes, [](block::UnpackWeightOp op) { return op.getGroup() != 0; });
  return hasGroups ? mostComputedBesideGroups : mostFewRows;
}

OwnRows::OwnRows(ModuleOp module) {
  SmallVector<block::KernelOp> kernels;
  module.walk([&](block::KernelOp kernel) { kernels.push_back(kernel); });
  for (block::KernelOp kernel : kernels) {
    std::optional<block::ComputedRows> rows = block::findComputedRows(kernel);
    int64_t most = countMostComputed(kernel);
    if (!rows || !rows->mayExceed(most))
      continue;
    Type type = rows->norm.getType();
    block::SeparateRows separate = block::computeRowsBefore(kernel, *rows);
    if (mayHaveFewRows(type, most)) {
      fused[kernel] = cast<block::KernelOp>(OpBuilder(kernel).clone(*kernel));
      auto addOmission = [&](Operation *op, unsigned sequences) {
        FewRowsKernel &omission = omissions[op];
        omission.most = most;
        omission.sizes = {{0, 0}, {sequences, sequences == 0}};
      };
      addOmission(separate.norm, /*sequences=*/0);
      if (separate.take)
        addOmission(separate.take, /*sequences=*/1);
    }
    block::readLastOperand(kernel);
  }
}

void OwnRows::eraseFused() {
  for (block::KernelOp kernel : llvm::make_second_range(fused))
    kernel.erase();
  fused.clear();
}
