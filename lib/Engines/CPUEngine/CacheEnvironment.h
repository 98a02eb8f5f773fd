//===- CacheEnvironment.h - environment of caches ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPUENGINE_CACHEENVIRONMENT_H
#define PARABLOCK_LIB_CPUENGINE_CACHEENVIRONMENT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace parablock {

/// Returns the given folder; for an empty one, the environment's:
/// $PARABLOCK_CACHE, $XDG_CACHE_HOME/parablock or $HOME/.cache/parablock. None
/// if none is set, or PARABLOCK_CACHE is empty or 0.
std::optional<std::string> findCacheFolder(llvm::StringRef folder);

/// Returns the number of bytes in a variable; an error if it is not a number of
/// bytes.
llvm::Expected<uint64_t> readCacheLimit(const char *variable,
                                        uint64_t otherwise);

} // namespace parablock

#endif // PARABLOCK_LIB_CPUENGINE_CACHEENVIRONMENT_H
