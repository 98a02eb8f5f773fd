//===- Manifest.h - a package's manifest as text ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_PACKAGE_MANIFEST_H
#define PARABLOCK_LIB_PACKAGE_MANIFEST_H

#include "parablock/Engines/Launch/Package.h"

namespace parablock {

/// Returns the text that launch::readPackage reads. `approximations` has for
/// each layer the stamps of approximate rewrites, or an empty string.
std::string printManifest(const Package &package,
                          const std::vector<std::string> &approximations);

} // namespace parablock

#endif // PARABLOCK_LIB_PACKAGE_MANIFEST_H
