//===- PrepareForDevice.h - IR of any level to kernels ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What all device code is made by, whether it becomes PTX, machine code or a
// package, and whether a tool, a pipeline or the C API asks for it.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PIPELINES_PREPAREFORDEVICE_H
#define PARABLOCK_PIPELINES_PREPAREFORDEVICE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace parablock {

/// How IR becomes kernels, in the words of passes.
struct PreparationOptions {
  /// Options of block-raise.
  std::string raise;
  /// Options of block-optimize, but the chip.
  std::string optimize;
  /// Name of the model; if empty, all models.
  std::string function;
};

/// Recognises blocks in a module of model IR that has none, or where `options`
/// ask for it. Fails unless callers can call each model that is compiled.
llvm::Error bringToBlocks(mlir::ModuleOp module,
                          const PreparationOptions &options = {});

/// Brings a module of model IR, at whatever level, to kernels in place: blocks
/// are recognised where there are none, rewritten exactly but for what
/// `optimize` asks for, with weight-only work split off into `@prepack`, whose
/// recipe goes to a file where there is a path for it. See formLaunches for
/// modules of several models.
mlir::LogicalResult prepareForDevice(mlir::ModuleOp module,
                                     llvm::StringRef chip,
                                     llvm::StringRef recipePath = "",
                                     llvm::StringRef optimize = "",
                                     llvm::StringRef function = "");

/// Adds the dialects that preparing makes ops of.
void registerPreparedDialects(mlir::DialectRegistry &registry);

} // namespace parablock

#endif // PARABLOCK_PIPELINES_PREPAREFORDEVICE_H
