//===- BlockToCPU.cpp - pipeline block-to-cpu -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Pipelines/BlockToCPU.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Analysis/HiddenSymbols.h"
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/GuardAngles.h"
#include "parablock/Pipelines/Optimize.h"

using namespace parablock;

static bool hasBlockKernels(mlir::ModuleOp module) {
  return module
      .walk([](block::KernelOp) { return mlir::WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Adds the passes that lower `module` to kernels, if it has none.
static void addKernelPasses(mlir::OpPassManager &manager,
                            mlir::ModuleOp module) {
  if (hasBlockKernels(module))
    return;
  // Output of other tools may call functions of its file.
  bool hasCalls = module
                      .walk([](mlir::func::CallOp) {
                        return mlir::WalkResult::interrupt();
                      })
                      .wasInterrupted();
  if (hasCalls && !hidesSymbols(module)) {
    guardAngles(module, /*ofConstants=*/true);
    manager.addPass(mlir::createInlinerPass());
  }
  buildOptimizePipeline(manager, OptimizeOptions());
}

mlir::LogicalResult parablock::lowerToKernels(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  addKernelPasses(manager, module);
  return manager.run(module);
}

namespace {
struct CpuPipelineOptions
    : public mlir::PassPipelineOptions<CpuPipelineOptions> {
  Option<std::string> cpu{*this, "cpu",
                          llvm::cl::desc("processor to compile for: native or "
                                         "a name that LLVM knows"),
                          llvm::cl::init("native")};
};

struct BlockToCPUOptions : public CpuPipelineOptions {
  Option<int64_t> rank{*this, "rank",
                       llvm::cl::desc("which rank to compile for, where "
                                      "block-shard made several"),
                       llvm::cl::init(0)};
  Option<std::string> function{
      *this, "function",
      llvm::cl::desc("the model to compile; if empty, main or the only one"),
      llvm::cl::init("")};
};

/// The pass that forms kernels where there are none.
struct LowerToKernelsPass
    : public mlir::PassWrapper<LowerToKernelsPass,
                               mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToKernelsPass)

  llvm::StringRef getName() const override { return "LowerToKernels"; }

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    mlir::OpPassManager passes(mlir::ModuleOp::getOperationName());
    buildOptimizePipeline(passes, OptimizeOptions());
    passes.getDependentDialects(registry);
  }

  void runOnOperation() final {
    mlir::OpPassManager passes(mlir::ModuleOp::getOperationName());
    addKernelPasses(passes, getOperation());
    if (failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }
};
} // namespace

void parablock::registerBlockToCPUPipeline() {
  mlir::PassPipelineRegistration<BlockToCPUOptions>(
      "block-to-cpu",
      "model IR to code for the CPU: a plan, and a module of LLVM ops",
      [](mlir::OpPassManager &manager, const BlockToCPUOptions &options) {
        manager.addPass(createBlockFixRank({options.rank}));
        manager.addPass(std::make_unique<LowerToKernelsPass>());
        CpuRank rank;
        rank.rank = options.rank;
        buildCpuCodePipeline(manager, options.function,
                             {options.cpu, std::nullopt}, rank);
      });
  mlir::PassPipelineRegistration<CpuPipelineOptions>(
      "cpu-lower-leftovers",
      "functions of ops that are no blocks to loops over memory",
      [](mlir::OpPassManager &manager, const CpuPipelineOptions &options) {
        buildLeftoverPipeline(manager, {options.cpu, std::nullopt});
      });
}
