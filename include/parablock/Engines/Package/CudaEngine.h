//===- CudaEngine.h - the engine cuda ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PACKAGE_CUDAENGINE_H
#define PARABLOCK_PACKAGE_CUDAENGINE_H

#include "parablock/Engines/Launch/Package.h"
#include "parablock/Engines/Package/WritePackage.h"
#include "parablock/Execution/Engine.h"

namespace parablock {

/// The engine `cuda`, on the first device of the driver; fails with a
/// MissingError without one. It runs `package`, whose function must then be the
/// requested one, or, if that is null, a temporary package that it makes of the
/// function with `options`.
llvm::Expected<std::unique_ptr<runner::Engine>>
createCudaEngine(std::shared_ptr<const Package> package, PackageOptions options,
                 DevicePreparation prepare, DeviceLowering lower);

} // namespace parablock

#endif // PARABLOCK_PACKAGE_CUDAENGINE_H
