//===- block-plugin.cpp - dialect and passes for stock mlir-opt -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   mlir-opt --load-dialect-plugin=ParablockPlugin.so
//            --load-pass-plugin=ParablockPlugin.so --pass-pipeline=...
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "parablock/InitAll.h"
#include "llvm/Config/llvm-config.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Parablock", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            parablock::registerAllDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Parablock", LLVM_VERSION_STRING,
          [] { parablock::registerAllPasses(); }};
}
