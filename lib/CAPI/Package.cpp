//===- Package.cpp - writes packages and packs weights --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Package.h"

#include "DevicePackage.h"
#include "Handles.h"
#include "mlir/IR/Diagnostics.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Engines/Package/WritePackage.h"
#include "parablock/Pipelines/BlockToGPU.h"
#include "parablock/Pipelines/PrepareForDevice.h"
#include "parablock/Transforms/ModelSummary.h"
#include "parablock/Transforms/Recipe/Apply.h"
#include "llvm/ADT/StringExtras.h"

using namespace parablock;
using llvm::Error;
using llvm::StringRef;

static Error write(ParablockModule &module, StringRef chips, StringRef path) {
  PackageOptions options;
  for (StringRef chip : llvm::split(chips, ','))
    options.chips.push_back(chip.str());
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.module->clone();
  std::string said;
  llvm::raw_string_ostream remarks(said);
  if (Error error = bringToBlocks(*copy))
    return error;
  auto prepare = [&](mlir::ModuleOp target, StringRef chip,
                     StringRef recipePath) -> mlir::LogicalResult {
    if (failed(prepareForDevice(target, chip, recipePath)))
      return mlir::failure();
    // Ranks have equal remarks.
    if (!said.empty())
      return mlir::success();
    mlir::FunctionOpInterface function = findMainFunction(target);
    return function ? writeModelSummary(remarks, function) : mlir::failure();
  };
  Error error =
      writePackage(*copy, path, options, prepare, lowerToDevice, remarks);
  if (!said.empty())
    mlir::emitRemark(module.module->getLoc()) << llvm::StringRef(said).trim();
  return error;
}

ParablockStatus parablockModuleWritePackage(ParablockModule *module,
                                            const char *chips,
                                            const char *path) {
  return capi::run(module, {chips, path},
                   [&] { return write(*module, chips, path); });
}

ParablockStatus
parablockModuleWriteDevicePackage(ParablockModule *module,
                                  const ParablockDevicePackageOptions *options,
                                  const char *path) {
  return capi::run(module, {options, path}, [&] {
    return capi::writeDevicePackage(
        *module->module, capi::DeviceFunction::Model, *options, path);
  });
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

static Error pack(ParablockContext &context, StringRef recipePath,
                  StringRef input, StringRef output) {
  llvm::Expected<recipe::Recipe> recipe = recipe::readRecipe(recipePath);
  if (!recipe)
    return recipe.takeError();
  std::string said;
  llvm::raw_string_ostream remarks(said);
  Error error = recipe::applyRecipe(*recipe, input, output, remarks);
  if (!said.empty())
    mlir::emitRemark(mlir::UnknownLoc::get(&context.context))
        << llvm::StringRef(said).trim();
  return error;
}

ParablockStatus parablockPackWeights(ParablockContext *context,
                                     const char *recipe, const char *input,
                                     const char *output) {
  return capi::run(context, {recipe, input, output},
                   [&] { return pack(*context, recipe, input, output); });
}
