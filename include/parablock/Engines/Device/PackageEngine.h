//===- PackageEngine.h - runs a package on the emulator ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_PACKAGEENGINE_H
#define PARABLOCK_DEVICE_PACKAGEENGINE_H

#include "parablock/Engines/Launch/Package.h"
#include "parablock/Judges/Runner/Engine.h"

namespace parablock {

/// An error unless `function` has the arguments that the package takes, in that
/// order.
llvm::Error checkPackagedFunction(const Package &package,
                                  mlir::func::FuncOp function);

/// The engine `emulate` for packages: runs the package's own device code for
/// `chip` by its own plan; nothing is compiled. The function it is asked to run
/// must be the one that the package was made of.
std::unique_ptr<runner::Engine>
createPackageEmulateEngine(std::shared_ptr<const Package> package,
                           llvm::StringRef chip);

} // namespace parablock

#endif // PARABLOCK_DEVICE_PACKAGEENGINE_H
