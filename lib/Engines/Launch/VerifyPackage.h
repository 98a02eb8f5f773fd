//===- VerifyPackage.h - verification of packages ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_VERIFYPACKAGE_H
#define PARABLOCK_LIB_LAUNCH_VERIFYPACKAGE_H

#include "parablock/Engines/Launch/Package.h"
#include "parablock/Engines/Launch/TensorStore.h"

namespace parablock::launch {

/// Reads a chip's code, and checks that a plan launches it as recorded; `cubin`
/// stays empty if there is none.
Status readCode(const Package &package, const PackageCode &code,
                const LaunchPlan &plan, std::string &ptx, std::string &cubin);

/// Opens the package's own parameters of a rank, which must exist, and compares
/// size, hash, types and shapes with the manifest's.
Status openConstants(const Package &package, const PackageFile &file,
                     TensorStore &store);

/// Opens packed weights and compares their hash with the recorded one, if any;
/// a package's own weights must have one.
Status openWeights(const Package &package, const std::string &path,
                   TensorStore &store);

/// Performs all checks of a package whose manifest has been read that need no
/// device: of all files, and of all plans against the code.
Status verifyPackage(const Package &package);

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_VERIFYPACKAGE_H
