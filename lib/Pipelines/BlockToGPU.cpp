//===- BlockToGPU.cpp - pipeline block-to-gpu -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Pipelines/BlockToGPU.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Conversion/Passes.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Engines/Device/Passes.h"
#include "parablock/Pipelines/PrepareForDevice.h"
#include "parablock/Target/Passes.h"

using namespace parablock;

namespace {
struct BlockToGPUOptions : public OptimizeOptions {
  BlockToGPUOptions() {
    chip.setInitialValue("sm_90a");
    chip.setDescription("chip to compile for: a GPU such as sm_90a");
  }

  Option<bool> isProgrammatic{
      *this, "programmatic-launch",
      llvm::cl::desc("on sm_90a, kernels may be launched before the one "
                     "before has ended"),
      llvm::cl::init(true)};
  Option<std::string> function{
      *this, "function",
      llvm::cl::desc("the model to compile, without the others; if empty, "
                     "all models"),
      llvm::cl::init("")};
};

/// The pass that all outputs of device code begin with.
struct PrepareForDevicePass
    : public mlir::PassWrapper<PrepareForDevicePass,
                               mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrepareForDevicePass)

  explicit PrepareForDevicePass(const BlockToGPUOptions &given)
      : options(std::make_shared<BlockToGPUOptions>()) {
    options->copyOptionValuesFrom(given);
  }

  llvm::StringRef getName() const override { return "PrepareForDevice"; }

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registerPreparedDialects(registry);
  }

  void runOnOperation() final {
    mlir::ModuleOp module = getOperation();
    const std::string &function = options->function;
    if (llvm::Error error =
            bringToBlocks(module, {/*raise=*/"", options.get(), function})) {
      module.emitError() << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    if (!function.empty()) {
      mlir::FunctionOpInterface model = findMainFunction(module, function);
      if (!model)
        return signalPassFailure();
      eraseOtherModels(model);
    }
    if (failed(prepareForDevice(module, options->chip, /*recipePath=*/"",
                                *options, function)))
      return signalPassFailure();
  }

  std::shared_ptr<BlockToGPUOptions> options;
};
} // namespace

/// Creates the pass that makes tile programs, or returns why its options are
/// wrong.
static llvm::Expected<std::unique_ptr<mlir::Pass>>
createTilePass(llvm::StringRef chip, llvm::StringRef options) {
  std::unique_ptr<mlir::Pass> pass =
      createConvertBlockKernelsToTile({chip.str()});
  std::string message;
  auto note = [&](const llvm::Twine &text) {
    message = text.str();
    return mlir::failure();
  };
  if (failed(pass->initializeOptions(options, note)))
    return llvm::createStringError("convert-block-kernels-to-tile: " +
                                   llvm::StringRef(message).trim());
  return std::move(pass);
}

llvm::Error parablock::checkTileOptions(llvm::StringRef options) {
  if (options.contains("chip="))
    return llvm::createStringError("convert-block-kernels-to-tile: expected no "
                                   "chip, which is given elsewhere, got '" +
                                   options + "'");
  return createTilePass("", options).takeError();
}

/// Adds the passes after kernels. With `isProgrammatic`, kernels wait for the
/// previous launch themselves, on chips with that feature.
static void buildCodePipeline(mlir::OpPassManager &manager,
                              llvm::StringRef chip, bool isProgrammatic,
                              llvm::StringRef tileOptions = "") {
  manager.addPass(llvm::cantFail(createTilePass(chip, tileOptions)));
  manager.addPass(mlir::createCanonicalizerPass());
  manager.addPass(mlir::createCSEPass());
  buildTileToNVVM(manager, chip, isProgrammatic);
  buildDeviceLowering(manager);
}

/// Returns the step that a module without models has, or nothing.
static std::string findStepAlone(mlir::ModuleOp module) {
  if (!listModelFunctions(module).empty())
    return "";
  for (auto function : module.getOps<mlir::FunctionOpInterface>())
    if (isTrainingFunction(function))
      return function.getName().str();
  return "";
}

mlir::LogicalResult parablock::lowerToDevice(mlir::ModuleOp module,
                                             llvm::StringRef chip) {
  return lowerToDeviceWith(module, chip, /*tileOptions=*/"");
}

mlir::LogicalResult parablock::lowerToDeviceWith(mlir::ModuleOp module,
                                                 llvm::StringRef chip,
                                                 llvm::StringRef tileOptions) {
  if (failed(prepareForDevice(module, chip, /*recipePath=*/"",
                              OptimizeOptions(), findStepAlone(module))))
    return mlir::failure();
  mlir::PassManager manager(module.getContext());
  buildCodePipeline(manager, chip, /*isProgrammatic=*/true, tileOptions);
  manager.addPass(createConvertLaunchesToPlan());
  return manager.run(module);
}

void parablock::registerBlockToGPUPipeline() {
  mlir::PassPipelineRegistration<BlockToGPUOptions>(
      "block-to-gpu",
      "model IR to device code: a gpu.module of LLVM and NVVM ops",
      [](mlir::OpPassManager &manager, const BlockToGPUOptions &options) {
        manager.addPass(std::make_unique<PrepareForDevicePass>(options));
        buildCodePipeline(manager, options.chip, options.isProgrammatic);
        // Functions are kept, so that all tools accept the output.
        manager.addPass(createConvertLaunchesToPlan({/*checkOnly=*/true}));
      });
}
