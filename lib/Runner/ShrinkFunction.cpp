//===- ShrinkFunction.cpp - the same function on fewer rows ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ShrinkFunction.h"

#include "parablock/IR/BlockOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace parablock;

/// Ids are `[B, T]`, lengths `[B]`, everything else that depends on an input
/// `[B, T, width]`.
static Type shrinkType(Type type, int64_t batch, int64_t sequence) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() == 0)
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  auto limit = [](int64_t &size, int64_t most) {
    if (!ShapedType::isDynamic(size))
      size = std::min(size, most);
  };
  limit(shape[0], batch);
  if (tensor.getRank() == 3 ||
      (tensor.getRank() == 2 && !isa<FloatType>(tensor.getElementType())))
    limit(shape[1], sequence);
  return tensor.clone(shape);
}

/// True where the sizes of rows are not the caller's to choose.
static bool fixesRows(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        bool fixed = isa<block::PatchEmbeddingOp>(op);
        if (auto attention = dyn_cast<block::AttentionOp>(op))
          fixed |= attention.getPastKey() || attention.getCuSeqlens();
        if (auto sdpa = dyn_cast<block::SdpaOp>(op))
          fixed |= sdpa.getPastKey() || sdpa.getCuSeqlens();
        return fixed ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void parablock::runner::shrinkRows(func::FuncOp function, int64_t batch,
                                   int64_t sequence) {
  if (fixesRows(function))
    return;
  auto shrink = [&](Value value) {
    value.setType(shrinkType(value.getType(), batch, sequence));
  };
  DenseSet<Value> rows;
  for (BlockArgument argument : function.getArguments())
    if (!function.getArgAttr(argument.getArgNumber(), block::kParamAttr)) {
      shrink(argument);
      rows.insert(argument);
    }
  // Operands come before their users, so one sweep finds what depends on rows.
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return;
    if (auto kernel = dyn_cast<block::KernelOp>(op))
      for (auto [argument, operand] : llvm::zip_equal(
               kernel.getBody().getArguments(), kernel.getOperands()))
        if (rows.contains(operand)) {
          shrink(argument);
          rows.insert(argument);
        }
    bool dependent = isa<block::LayerOp, block::KernelOp>(op) ||
                     llvm::any_of(op->getOperands(), [&](Value operand) {
                       return rows.contains(operand);
                     });
    if (!dependent)
      return;
    for (Value value : op->getResults()) {
      shrink(value);
      rows.insert(value);
    }
  });
  SmallVector<Type> results;
  for (Type type : function.getResultTypes())
    results.push_back(shrinkType(type, batch, sequence));
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getBody().getArgumentTypes(), results));
}
