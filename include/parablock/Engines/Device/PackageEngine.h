//===- PackageEngine.h - packages on the emulator ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_PACKAGEENGINE_H
#define PARABLOCK_DEVICE_PACKAGEENGINE_H

#include "parablock/Engines/Launch/Package.h"
#include "parablock/Execution/Engine.h"

namespace parablock {

/// Fails unless `function` has the package's arguments, in that
/// order.
llvm::Error checkPackagedFunction(const Package &package,
                                  mlir::func::FuncOp function);

/// The engine `emulate` for packages: runs the package's own device code for
/// `chip` by its own plan, without compiling. The requested function must be
/// the one that the package was made from.
std::unique_ptr<runner::Engine>
createPackageEmulateEngine(std::shared_ptr<const Package> package,
                           llvm::StringRef chip);

} // namespace parablock

#endif // PARABLOCK_DEVICE_PACKAGEENGINE_H
