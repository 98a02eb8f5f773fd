//===- TileRun.h - tile kernels from text to results ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_CONVERSION_TILERUN_H
#define PARABLOCK_UNITTESTS_CONVERSION_TILERUN_H

#include "Emulator/TestDevice.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Conversion/Passes.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/InitAll.h"
#include "parablock/Target/DeviceCode.h"
#include "parablock/Target/Passes.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"

namespace parablock::unittest {

/// The kernel of a gpu.module in text, compiled for a chip, which must go well.
class TileKernel {
public:
  TileKernel(TestDevice &device, llvm::StringRef text, llvm::StringRef chip,
             EmulatorOptions options = {}) {
    compile(device, text, chip, options);
  }

  /// A parameter that it has to be given.
  struct Parameter {
    explicit Parameter(tile::ArgumentAttr argument)
        : kind(argument.getKind()), operand(argument.getOperand()),
          dim(argument.getDim()) {
      if (argument.getBox())
        llvm::append_range(box, argument.getBox().asArrayRef());
    }
    tile::ArgumentKind kind;
    unsigned operand, dim;
    llvm::SmallVector<int64_t, 2> box;
  };
  llvm::ArrayRef<Parameter> getParameters() const { return parameters; }

  /// Runs it, on `grid` CTAs where that is not 0, without a report.
  void launch(llvm::ArrayRef<KernelArgument> arguments, unsigned grid = 0) {
    if (!emulator)
      return;
    LaunchConfig launched = config;
    if (grid)
      launched.grid.x = grid;
    auto result = emulator->launch(name, launched, arguments);
    ASSERT_THAT_EXPECTED(result, llvm::Succeeded());
    EXPECT_THAT(*result, IsClean());
  }

private:
  void compile(TestDevice &device, llvm::StringRef text, llvm::StringRef chip,
               EmulatorOptions options) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    mlir::MLIRContext context(registry);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module) << "parses";
    mlir::PassManager manager(&context);
    buildTileToNVVM(manager, chip);
    buildDeviceLowering(manager);
    ASSERT_TRUE(mlir::succeeded(manager.run(*module))) << "converts";
    auto deviceModule = findDeviceModule(*module);
    ASSERT_THAT_EXPECTED(deviceModule, llvm::Succeeded());
    for (auto function : deviceModule->getOps<mlir::LLVM::LLVMFuncOp>()) {
      name = function.getName().str();
      auto threads =
          function->getAttrOfType<mlir::DenseI32ArrayAttr>("nvvm.reqntid");
      config.block.x = threads[0];
      auto facts = tile::LaunchAttr::of(function);
      config.grid.x = facts.getSchedule().getGrid();
      config.cluster.x = facts.getSchedule().getCluster();
      config.dynamicSharedBytes = facts.getSharedBytes();
      for (tile::ArgumentAttr parameter : facts.getArguments())
        parameters.push_back(Parameter(parameter));
    }
    auto llvmContext = std::make_unique<llvm::LLVMContext>();
    auto llvmModule = translateToLLVM(*deviceModule, chip, *llvmContext);
    ASSERT_THAT_EXPECTED(llvmModule, llvm::Succeeded());
    auto made =
        Emulator::create({std::move(*llvmModule), std::move(llvmContext)},
                         *device.memory, options);
    ASSERT_THAT_EXPECTED(made, llvm::Succeeded());
    emulator = std::move(*made);
  }

  std::string name;
  LaunchConfig config;
  llvm::SmallVector<Parameter, 0> parameters;
  std::unique_ptr<Emulator> emulator;
};

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_CONVERSION_TILERUN_H
