//===- NearestName.h - the name that was meant ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_NEARESTNAME_H
#define PARABLOCK_SUPPORT_NEARESTNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace parablock {

/// Returns which of `names` differs from `given` in at most two letters, the
/// nearest and first one; empty where none does.
llvm::StringRef findNearestName(llvm::StringRef given,
                                llvm::ArrayRef<llvm::StringRef> names);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_NEARESTNAME_H
