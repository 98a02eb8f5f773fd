//===- ShrinkFunction.cpp - the same function on fewer rows ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ShrinkFunction.h"

#include "mlir/IR/Verifier.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/FindOperand.h"
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
        bool fixed =
            isa<block::PatchEmbeddingOp, block::PatchEmbeddingGradOp>(op);
        for (auto which : {block::AttentionOperand::PastKey,
                           block::AttentionOperand::CuSeqlens,
                           block::AttentionOperand::Pages})
          fixed |= static_cast<bool>(block::findOperand(op, which));
        return fixed ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True for ids `[B, T]`, lengths `[B]`, and hidden states `[B, T, width]`: the
/// inputs whose leading dimensions are known to be rows.
static bool hasRows(func::FuncOp function, BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type || !function.getArgAttr(argument.getArgNumber(), block::kInputAttr))
    return false;
  return isa<FloatType>(type.getElementType())
             ? type.getRank() == 3
             : type.getRank() == 1 || type.getRank() == 2;
}

namespace {
/// Follows rows from the inputs on.
class Shrinker {
public:
  Shrinker(int64_t batch, int64_t sequence)
      : batch(batch), sequence(sequence) {}

  void add(Value value) {
    Type type = shrinkType(value.getType(), batch, sequence);
    if (type != value.getType())
      changed.insert(value);
    value.setType(type);
    rows.insert(value);
  }

  /// False where `op` is none of ours and would be another one.
  bool visit(Operation *op) {
    if (auto kernel = dyn_cast<block::KernelOp>(op))
      for (auto [argument, operand] : llvm::zip_equal(
               kernel.getBody().getArguments(), kernel.getOperands()))
        if (rows.contains(operand))
          add(argument);
    bool dependent = isa<block::LayerOp, block::KernelOp>(op) ||
                     llvm::any_of(op->getOperands(), [&](Value operand) {
                       return rows.contains(operand);
                     });
    if (!dependent)
      return true;
    llvm::for_each(op->getResults(), [&](Value value) { add(value); });
    auto isChanged = [&](Value value) { return changed.contains(value); };
    return isa_and_nonnull<block::BlockDialect>(op->getDialect()) ||
           op->hasTrait<OpTrait::ReturnLike>() ||
           !(llvm::any_of(op->getOperands(), isChanged) ||
             llvm::any_of(op->getResults(), isChanged));
  }

private:
  int64_t batch, sequence;
  DenseSet<Value> rows, changed;
};
} // namespace

bool parablock::runner::shrinkRows(func::FuncOp function, int64_t batch,
                                   int64_t sequence) {
  if (fixesRows(function))
    return false;
  Shrinker shrinker(batch, sequence);
  for (BlockArgument argument : function.getArguments()) {
    if (function.getArgAttr(argument.getArgNumber(), block::kParamAttr))
      continue;
    if (!hasRows(function, argument))
      return false;
    shrinker.add(argument);
  }
  // Operands come before their users, so one sweep finds what depends on rows.
  bool isOurs = !function
                     .walk<WalkOrder::PreOrder>([&](Operation *op) {
                       return op == function || shrinker.visit(op)
                                  ? WalkResult::advance()
                                  : WalkResult::interrupt();
                     })
                     .wasInterrupted();
  if (!isOurs)
    return false;
  auto results = function.getBody().front().getTerminator()->getOperandTypes();
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getBody().getArgumentTypes(), results));
  // Operands of a fixed number of rows do not fit any more.
  ScopedDiagnosticHandler quiet(function.getContext(),
                                [](Diagnostic &) { return success(); });
  return succeeded(verify(function));
}
