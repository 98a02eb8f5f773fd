//===- SeparateAppends.cpp - appends apart from kernels -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/SeparateAppends.h"

#include "mlir/IR/IRMapping.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock::block;

/// Makes `kernel` yield the new rows of a cache as result `number`, and appends
/// them by `builder`. All else that `append` reads are arguments.
static void separate(KernelOp kernel, unsigned number, CacheAppendOp append,
                     OpBuilder &builder) {
  IRMapping mapping;
  for (Value operand : append->getOperands())
    if (auto argument = dyn_cast<BlockArgument>(operand))
      mapping.map(operand, kernel.getInputs()[argument.getArgNumber()]);
  Value added = append.getAdded(), result = kernel.getResult(number);
  kernel.getBody().front().getTerminator()->setOperand(number, added);
  mapping.map(added, result);
  Operation *apart = builder.clone(*append, mapping);
  result.replaceAllUsesExcept(apart->getResult(0), apart);
  result.setType(added.getType());
  append.erase();
}

void parablock::block::separateAppends(Operation *root) {
  root->walk([](KernelOp kernel) {
    Block &body = kernel.getBody().front();
    Operation *yield = body.getTerminator();
    OpBuilder builder(kernel->getContext());
    builder.setInsertionPointAfter(kernel);
    for (unsigned number = 0; number < kernel.getNumResults(); ++number)
      if (auto append =
              yield->getOperand(number).getDefiningOp<CacheAppendOp>())
        separate(kernel, number, append, builder);
    for (int64_t i = body.getNumArguments() - 1; i >= 0; --i)
      if (body.getArgument(i).use_empty()) {
        body.eraseArgument(i);
        kernel->eraseOperand(i);
      }
  });
}
