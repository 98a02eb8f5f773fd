//===- NearestName.h - spelling suggestions ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_NEARESTNAME_H
#define PARABLOCK_SUPPORT_NEARESTNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace parablock {

/// Returns the nearest, first one of `names` that differs from `given` in at
/// most two letters; empty if none does.
llvm::StringRef findNearestName(llvm::StringRef given,
                                llvm::ArrayRef<llvm::StringRef> names);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_NEARESTNAME_H
