//===- BlockToCPU.cpp - the pipeline from models to CPU kernels -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Pipelines/BlockToCPU.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/CPU/CpuProgram.h"
#include "parablock/IR/BlockOps.h"
#include "parablock/IR/RankFunction.h"
#include "parablock/IR/Ranks.h"
#include "parablock/Pipelines/Optimize.h"

using namespace parablock;

mlir::LogicalResult parablock::lowerToKernels(mlir::ModuleOp module) {
  mlir::WalkResult search = module.walk(
      [](block::KernelOp) { return mlir::WalkResult::interrupt(); });
  if (search.wasInterrupted())
    return mlir::success();
  mlir::PassManager manager(module.getContext());
  // What other tools print may call functions of its file.
  bool hasCalls = module
                      .walk([](mlir::func::CallOp) {
                        return mlir::WalkResult::interrupt();
                      })
                      .wasInterrupted();
  if (hasCalls)
    manager.addPass(mlir::createInlinerPass());
  OptimizeOptions options;
  buildOptimizePipeline(manager, options);
  return manager.run(module);
}

namespace {
struct BlockToCPUOptions : public mlir::PassPipelineOptions<BlockToCPUOptions> {
  Option<std::string> cpu{*this, "cpu",
                          llvm::cl::desc("processor to compile for: native or "
                                         "a name that LLVM knows"),
                          llvm::cl::init("native")};
  Option<int64_t> rank{*this, "rank",
                       llvm::cl::desc("which rank to compile for, where "
                                      "block-shard made several"),
                       llvm::cl::init(0)};
};

/// Puts the machine code of @main, as the CPU engine runs it, into a module of
/// its own beside it. Only for looking at: engines take the program itself.
struct ShowCpuCodePass
    : public mlir::PassWrapper<ShowCpuCodePass,
                               mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShowCpuCodePass)

  explicit ShowCpuCodePass(const BlockToCPUOptions &options)
      : cpu(options.cpu), rank(options.rank) {}

  llvm::StringRef getName() const override { return "ShowCpuCode"; }

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registerCpuDialects(registry);
    // Those of the passes that it runs.
    mlir::OpPassManager kernels(mlir::ModuleOp::getOperationName());
    buildOptimizePipeline(kernels, OptimizeOptions());
    kernels.getDependentDialects(registry);
  }

  void runOnOperation() final {
    mlir::ModuleOp module = getOperation();
    auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
    llvm::Expected<CpuTarget> target = findCpuTarget(cpu);
    if (!target || !main) {
      mlir::emitError(module.getLoc())
          << (main ? llvm::toString(target.takeError())
                   : "expected a function main");
      return signalPassFailure();
    }
    CpuRank own{rank, countRanks(module).value_or(1)};
    if (rank < 0 || rank >= own.count) {
      mlir::emitError(module.getLoc()) << "expected rank to be in [0, "
                                       << own.count - 1 << "], got " << rank;
      return signalPassFailure();
    }
    fixRank(module, rank);
    if (failed(lowerToKernels(module)))
      return signalPassFailure();
    llvm::Expected<CpuProgram> program = lowerToCpu(main, *target, own);
    if (!program) {
      // Faults of the IR have been told at the op.
      llvm::consumeError(program.takeError());
      return signalPassFailure();
    }
    mlir::ModuleOp kernels = program->module.release();
    kernels.setSymName("kernels");
    module.push_back(kernels);
  }

  std::string cpu;
  int64_t rank;
};
} // namespace

void parablock::registerBlockToCPUPipeline() {
  mlir::PassPipelineRegistration<BlockToCPUOptions>(
      "block-to-cpu", "model IR to code for the CPU: a module of LLVM ops",
      [](mlir::OpPassManager &manager, const BlockToCPUOptions &options) {
        manager.addPass(std::make_unique<ShowCpuCodePass>(options));
      });
}
