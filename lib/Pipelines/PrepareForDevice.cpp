//===- PrepareForDevice.cpp - raises, optimises and prepacks modules ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Pipelines/PrepareForDevice.h"

#include "RaiseForeign.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Execution/Signature.h"
#include "parablock/Frontends/Raise/Passes.h"
#include "parablock/Support/Chips.h"
#include "parablock/Transforms/Launches.h"
#include "parablock/Transforms/Passes.h"

using namespace mlir;
using namespace parablock;
using llvm::Error;

static bool hasKernels(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<block::KernelOp, tile::LaunchOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Checks that `options` are valid for the passes, and have an effect.
static Error checkOptions(ModuleOp module, const PreparationOptions &options) {
  if (Error error = checkRaiseOptions(options.raise))
    return error;
  if (!hasKernels(module))
    return Error::success();
  if (options.optimize && options.optimize->areGiven())
    return llvm::createStringError(
        "expected IR without kernels for options of block-optimize");
  if (!options.raise.empty())
    return llvm::createStringError(
        "expected IR without kernels for the options '" + options.raise +
        "' of block-raise");
  return Error::success();
}

Error parablock::bringToBlocks(ModuleOp module,
                               const PreparationOptions &options) {
  if (Error error = checkOptions(module, options))
    return error;
  if (failed(raiseForeign(module, options.raise)))
    return llvm::createStringError("cannot make blocks of the module");
  // Device code by itself has no function.
  if (module.getOps<func::FuncOp>().empty())
    return Error::success();
  SmallVector<FunctionOpInterface> models;
  if (options.function.empty())
    models = listModelFunctions(module);
  if (models.empty()) {
    llvm::Expected<FunctionOpInterface> model =
        findModelFunction(module, options.function);
    if (!model)
      return model.takeError();
    models = {*model};
  }
  for (FunctionOpInterface model : models)
    if (auto function = dyn_cast<func::FuncOp>(model.getOperation()))
      if (Error error = runner::readSignature(function).takeError())
        return error;
  return Error::success();
}

LogicalResult parablock::prepareForDevice(ModuleOp module, StringRef chip,
                                          StringRef recipePath,
                                          const OptimizeOptions &optimize,
                                          StringRef function) {
  if (auto known = findDeviceChip(chip); !known)
    return module.emitError() << llvm::toString(known.takeError());
  // Device code by itself is ready.
  if (module.getOps<func::FuncOp>().empty())
    return success();
  if (failed(raiseForeign(module)))
    return failure();
  PassManager manager(module.getContext());
  if (!hasKernels(module))
    buildOptimizePipeline(manager, optimize, chip);
  if (failed(manager.run(module)))
    return failure();
  return formLaunches(module, recipePath, function);
}

void parablock::registerPreparedDialects(DialectRegistry &registry) {
  OpPassManager passes(ModuleOp::getOperationName());
  passes.addPass(raise::createBlockRaise());
  buildOptimizePipeline(passes, OptimizeOptions());
  passes.getDependentDialects(registry);
  registerLaunchedDialects(registry);
}
