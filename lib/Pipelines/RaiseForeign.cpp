//===- RaiseForeign.cpp - converts StableHLO and runs block-raise ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RaiseForeign.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Frontends/Raise/Passes.h"

using namespace mlir;
using namespace parablock;

/// Sets the options of `pass`, or fails with the reason.
static llvm::Error configure(Pass &pass, StringRef options) {
  std::string message;
  LogicalResult result =
      pass.initializeOptions(options, [&](const Twine &text) {
        message = text.str();
        return failure();
      });
  if (succeeded(result))
    return llvm::Error::success();
  return llvm::createStringError("block-raise: " + StringRef(message).trim());
}

llvm::Error parablock::checkRaiseOptions(StringRef options) {
  return configure(*raise::createBlockRaise(), options);
}

/// True where `isThis` is true of an op in `module`.
static bool contains(ModuleOp module,
                     llvm::function_ref<bool(Operation *)> isThis) {
  return module
      .walk([&](Operation *op) {
        return isThis(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True of a function with work in it, but none in blocks or code of ours.
static bool isForeign(ModuleOp module) {
  bool isOurs = contains(module, [](Operation *op) {
    return isa<gpu::GPUModuleOp>(op) ||
           isa_and_nonnull<block::BlockDialect, tile::TileDialect>(
               op->getDialect());
  });
  return !isOurs && contains(module, [](Operation *op) {
    return isa_and_nonnull<func::FuncOp>(op->getParentOp()) &&
           !op->hasTrait<OpTrait::IsTerminator>();
  });
}

LogicalResult parablock::raiseForeign(ModuleOp module, StringRef options) {
  if (options.empty() && !isForeign(module))
    return success();
  PassManager manager(module.getContext());
  std::unique_ptr<Pass> pass = raise::createBlockRaise();
  if (llvm::Error error = configure(*pass, options))
    return module.emitError() << llvm::toString(std::move(error));
  manager.addPass(std::move(pass));
  return manager.run(module);
}
