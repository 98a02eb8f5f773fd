//===- MarkConstants.cpp - what no launch writes --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch writes its results, which are separate tensors, and workspaces:
// never an argument of the function. Parameters are in memory that their owner
// fills before the first launch; inputs may be memory of the caller, which an
// earlier step writes on the same stream.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Conversion/Passes.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

namespace parablock {
#define GEN_PASS_DEF_TILEMARKCONSTANTS
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock::tile;

/// Returns whether `value` is a parameter of the program, possibly reshaped.
static bool isParameter(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
            op))
      return false;
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function && function.isPublic() &&
         function.getArgAttr(argument.getArgNumber(),
                             parablock::block::kParamAttr);
}

namespace {
struct TileMarkConstants
    : public parablock::impl::TileMarkConstantsBase<TileMarkConstants> {
  using Base::Base;

  void runOnOperation() final {
    // For each kernel, the inputs that are parameters in all launches so far.
    llvm::MapVector<KernelOp, llvm::BitVector> constants;
    auto mark = [&](LaunchOp launch, SymbolRefAttr name) {
      auto kernel =
          SymbolTable::lookupNearestSymbolFrom<KernelOp>(launch, name);
      if (!kernel)
        return;
      auto [known, isNew] = constants.insert({kernel, {}});
      if (isNew)
        known->second.resize(kernel.getNumInputs(), true);
      for (auto [index, input] : llvm::enumerate(launch.getInputs()))
        if (!isParameter(input))
          known->second.reset(index);
    };
    getOperation().walk([&](LaunchOp launch) {
      mark(launch, launch.getKernelAttr());
      if (launch.getFew())
        mark(launch, launch.getFewAttr());
    });
    for (auto &[kernel, inputs] : constants)
      for (unsigned input : inputs.set_bits())
        KernelOp(kernel).setArgAttr(input, KernelOp::getConstantAttrName(),
                                    UnitAttr::get(&getContext()));
  }
};
} // namespace
