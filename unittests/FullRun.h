//===- FullRun.h - whether long tests are wanted ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FULLRUN_H
#define PARABLOCK_UNITTESTS_FULLRUN_H

#include "llvm/ADT/StringRef.h"
#include <cstdlib>

namespace parablock::unittest {

/// Everything is to be tried, rather than a part that meets every kind.
inline bool isFullRun() {
  const char *full = std::getenv("PARABLOCK_FULL");
  return full && llvm::StringRef(full) == "1";
}

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_FULLRUN_H
