//===- Package.cpp - compiled functions as folders ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Package.h"

#include "Handles.h"
#include "mlir/IR/Diagnostics.h"
#include "parablock/Package/WritePackage.h"
#include "parablock/Pipelines/BlockToGPU.h"
#include "llvm/ADT/StringExtras.h"

using namespace parablock;
using llvm::Error;

static Error write(ParablockModule &module, llvm::StringRef chips,
                   llvm::StringRef path) {
  PackageOptions options;
  for (llvm::StringRef chip : llvm::split(chips, ','))
    options.chips.push_back(chip.str());
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.module->clone();
  std::string said;
  llvm::raw_string_ostream remarks(said);
  Error error = writePackage(*copy, path, options, prepareForDevice,
                             lowerToDevice, remarks);
  if (!said.empty())
    mlir::emitRemark(module.module->getLoc()) << llvm::StringRef(said).trim();
  return error;
}

ParablockStatus parablockModuleWritePackage(ParablockModule *module,
                                            const char *chips,
                                            const char *path) {
  if (!module)
    return ParablockBadInput;
  module->owner.begin();
  if (!chips || !path)
    return module->owner.finish(capi::createNullError());
  return module->owner.finish(write(*module, chips, path));
}
