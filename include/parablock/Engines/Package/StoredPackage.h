//===- StoredPackage.h - packages as one text -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PACKAGE_STOREDPACKAGE_H
#define PARABLOCK_PACKAGE_STOREDPACKAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace parablock {

/// Returns the files of the package at `path` as one text, for a cache.
llvm::Expected<std::string> storePackage(llvm::StringRef path);

/// Writes a stored package to the folder `path`, which appears whole or not at
/// all.
llvm::Error restorePackage(llvm::StringRef stored, llvm::StringRef path);

} // namespace parablock

#endif // PARABLOCK_PACKAGE_STOREDPACKAGE_H
