//===- StatisticsRow.cpp - rows that statistics are of --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/StatisticsRow.h"

#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock::block;

Value parablock::block::findStatisticsRow(Value partial) {
  auto result = dyn_cast<OpResult>(partial);
  if (!result)
    return {};
  Operation *owner = result.getOwner();
  if (auto stats = dyn_cast<PartialStatsOp>(owner))
    return stats.getInput();
  // A layer or a kernel returns the row beside its statistics.
  if (!isa<LayerOp, KernelOp>(owner))
    return {};
  Operation *yield = owner->getRegion(0).front().getTerminator();
  Value row = findStatisticsRow(yield->getOperand(result.getResultNumber()));
  for (auto [value, outside] :
       llvm::zip_equal(yield->getOperands(), owner->getResults()))
    if (row && value == row)
      return outside;
  return {};
}
