//===- Reductions.cpp - layers, bypasses and arguments --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The results of a reduced model do not matter, only that it is valid: every
// result is replaced by an earlier value of the same type. The elements of that
// value are defined: a model that reads others computes something else each
// time, and no engine agrees with another.
//
//===----------------------------------------------------------------------===//

#include "Reductions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/EraseDead.h"

using namespace mlir;
using namespace parablock;

/// Returns whether a value can stand where elements of `type` are read.
static bool canReplace(Value value, Type type) {
  return value.getType() == type &&
         !isa_and_nonnull<tensor::EmptyOp, ub::PoisonOp>(value.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// Returns replacements for the results of `layer`: for each the next value of
/// its type that the region reads from outside. Empty if there are too few.
static SmallVector<Value> findStreams(block::LayerOp layer) {
  llvm::SetVector<Value> read;
  getUsedValuesDefinedAbove(layer.getBody(), read);
  SmallVector<Value> streams;
  for (Type type : layer.getResultTypes()) {
    const auto *stream = llvm::find_if(
        read, [&](Value value) { return canReplace(value, type); });
    if (stream == read.end())
      return {};
    streams.push_back(*stream);
    read.erase(stream);
  }
  return streams;
}

static SmallVector<block::LayerOp> collectLayers(ModuleOp module) {
  SmallVector<block::LayerOp> layers;
  module.walk([&](block::LayerOp layer) {
    if (!findStreams(layer).empty())
      layers.push_back(layer);
  });
  return layers;
}

static unsigned countLayers(ModuleOp module) {
  return collectLayers(module).size();
}

static void skipLayers(ModuleOp module, unsigned first, unsigned number) {
  SmallVector<block::LayerOp> layers = collectLayers(module);
  for (block::LayerOp layer :
       ArrayRef<block::LayerOp>(layers).slice(first, number)) {
    layer->replaceAllUsesWith(findStreams(layer));
    layer->erase();
  }
  eraseDeadOps(module->getRegions());
}

//===----------------------------------------------------------------------===//
// Single ops
//===----------------------------------------------------------------------===//

/// Returns the operand that can replace the only result of `op`, or a null
/// value.
static Value findBypass(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return {};
  // A destination has elements that the op defines.
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands())
    if (canReplace(operand.get(), op->getResult(0).getType()) &&
        !(destination && destination.isDpsInit(&operand)))
      return operand.get();
  return {};
}

static SmallVector<Operation *> collectBypassed(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (findBypass(op))
      ops.push_back(op);
  });
  return ops;
}

static unsigned countBypassed(ModuleOp module) {
  return collectBypassed(module).size();
}

static void bypassOps(ModuleOp module, unsigned first, unsigned number) {
  SmallVector<Operation *> ops = collectBypassed(module);
  for (Operation *op : ArrayRef<Operation *>(ops).slice(first, number)) {
    op->getResult(0).replaceAllUsesWith(findBypass(op));
    op->erase();
  }
  eraseDeadOps(module->getRegions());
}

//===----------------------------------------------------------------------===//
// Function arguments
//===----------------------------------------------------------------------===//

/// Returns unused arguments of functions without calls.
static SmallVector<BlockArgument> collectArguments(ModuleOp module) {
  SmallVector<BlockArgument> arguments;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal() ||
        !SymbolTable::symbolKnownUseEmpty(function, module))
      continue;
    for (BlockArgument argument : function.getArguments())
      if (argument.use_empty())
        arguments.push_back(argument);
  }
  return arguments;
}

static unsigned countArguments(ModuleOp module) {
  return collectArguments(module).size();
}

static void dropArguments(ModuleOp module, unsigned first, unsigned number) {
  SmallVector<BlockArgument> arguments = collectArguments(module);
  // From the last to the first, so that the numbers of the others stay.
  for (BlockArgument argument :
       llvm::reverse(ArrayRef<BlockArgument>(arguments).slice(first, number))) {
    auto function =
        cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    (void)function.eraseArgument(argument.getArgNumber());
  }
}

ArrayRef<ModelReduction> parablock::getReductions() {
  static const ModelReduction reductions[] = {
      {"layers", countLayers, skipLayers},
      {"ops", countBypassed, bypassOps},
      {"arguments", countArguments, dropArguments},
  };
  return reductions;
}
