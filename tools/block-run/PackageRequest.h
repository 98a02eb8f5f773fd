//===- PackageRequest.h - runs of packages ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_RUN_PACKAGEREQUEST_H
#define PARABLOCK_TOOLS_BLOCK_RUN_PACKAGEREQUEST_H

#include "parablock/Engines/Launch/Package.h"
#include "parablock/Judges/Compare/RunCommand.h"

/// If the request names a package, reads it and sets the request's function to
/// the package's; returns null if it names IR.
llvm::Expected<std::shared_ptr<const parablock::Package>>
openPackage(parablock::runner::RunRequest &request);

#endif // PARABLOCK_TOOLS_BLOCK_RUN_PACKAGEREQUEST_H
