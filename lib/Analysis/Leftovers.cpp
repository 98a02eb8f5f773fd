//===- Leftovers.cpp - finds and counts leftover ops ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Leftovers.h"

#include "mlir/IR/BuiltinTypes.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// Returns true if `op` results in elements, not in a size or an empty tensor.
static bool makesElements(Operation *op) {
  return llvm::any_of(op->getResultTypes(),
                      [](Type type) { return isa<TensorType>(type); }) &&
         op->getName().getStringRef() != "tensor.empty" &&
         !op->hasTrait<OpTrait::ConstantLike>();
}

/// Returns true for ops of other dialects that compute, and those that become
/// such ops.
static bool isUpstream(Operation *op) {
  if (isa<StreamAddOp, StreamValueOp>(op))
    return true;
  Dialect *dialect = op->getDialect();
  return dialect && !isa<BlockDialect>(dialect) &&
         dialect->getNamespace() != "shard" &&
         dialect->getNamespace() != "tile" &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

namespace {
class LeftoverCounter {
public:
  explicit LeftoverCounter(llvm::function_ref<double(Value)> countBytes)
      : countBytes(countBytes) {}

  LeftoverCounts count(FunctionOpInterface function) {
    for (BlockArgument argument : function.getArguments())
      if (!function.getArgAttr(argument.getArgNumber(), kParamAttr))
        data.insert(argument);
    for (Block &block : function.getFunctionBody())
      visit(block);
    return std::move(counts);
  }

private:
  void visit(Block &body) {
    for (Operation &op : body)
      visit(&op);
  }

  void visit(Operation *op) {
    if (auto layer = dyn_cast<LayerOp>(op)) {
      visit(layer.getBody().front());
    } else if (auto kernel = dyn_cast<KernelOp>(op)) {
      if (kernel.getKind() == KernelKind::Elements)
        addKernel(kernel);
    } else if (isUpstream(op)) {
      if (!readsData(op))
        return;
      if (makesElements(op)) {
        ++counts.outside;
        ++counts.ops[op->getName().getStringRef()];
      }
    }
    // Blocks have work on weights alone, too.
    if (isa<LayerOp, KernelOp>(op) || readsData(op))
      data.insert(op->result_begin(), op->result_end());
  }

  /// Returns true unless all values that `op` reads exist before any run; loops
  /// and bodies may read values other than operands.
  bool readsData(Operation *op) {
    bool found = false;
    op->walk([&](Operation *inner) {
      found |= llvm::any_of(inner->getOperands(), [&](Value operand) {
        return data.contains(operand);
      });
    });
    return found;
  }

  void addKernel(KernelOp kernel) {
    ++counts.launches;
    for (Value value : kernel->getOperands())
      if (data.contains(value))
        counts.bytes += countBytes(value);
    for (Value value : kernel->getResults())
      counts.bytes += countBytes(value);
    for (Operation &op : kernel.getBody().front().without_terminator())
      if (isUpstream(&op) && makesElements(&op))
        ++counts.ops[op.getName().getStringRef()];
  }

  llvm::function_ref<double(Value)> countBytes;
  LeftoverCounts counts;
  /// Values that are there at run time alone.
  DenseSet<Value> data;
};
} // namespace

LeftoverCounts
parablock::countLeftovers(FunctionOpInterface function,
                          llvm::function_ref<double(Value)> countBytes) {
  return LeftoverCounter(countBytes).count(function);
}
