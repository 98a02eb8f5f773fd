//===- PrepareForDevice.h - preparation for device code ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The common path to device code, for PTX, machine code and packages, and for
// tools, pipelines and the C API.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PIPELINES_PREPAREFORDEVICE_H
#define PARABLOCK_PIPELINES_PREPAREFORDEVICE_H

#include "mlir/IR/BuiltinOps.h"
#include "parablock/Pipelines/Optimize.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace parablock {

/// The options of the preparation.
struct PreparationOptions {
  /// Options of block-raise, as a command line has them.
  std::string raise;
  /// Null for the defaults.
  const OptimizeOptions *optimize = nullptr;
  /// Name of the model; if empty, all models.
  std::string function;
};

/// Recognises blocks in a module of model IR without any, or if `options`
/// request it. Fails unless each compiled model has a valid signature.
llvm::Error bringToBlocks(mlir::ModuleOp module,
                          const PreparationOptions &options = {});

/// Lowers a module of model IR, at any level, to kernels in place: blocks are
/// recognised if there are none and rewritten exactly, except for rewrites that
/// `optimize` requests, whose chip is not read. Work on weights alone moves to
/// `@prepack`, whose recipe is written if a path for it is given. See
/// formLaunches for modules of several models.
mlir::LogicalResult prepareForDevice(mlir::ModuleOp module,
                                     llvm::StringRef chip,
                                     llvm::StringRef recipePath = "",
                                     const OptimizeOptions &optimize = {},
                                     llvm::StringRef function = "");

/// Adds the dialects whose ops the preparation creates.
void registerPreparedDialects(mlir::DialectRegistry &registry);

} // namespace parablock

#endif // PARABLOCK_PIPELINES_PREPAREFORDEVICE_H
