//===- CodeCache.h - the code of CPU programs that is kept ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPUENGINE_CODECACHE_H
#define PARABLOCK_CPUENGINE_CODECACHE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Engines/CPU/CpuProgram.h"
#include "parablock/Support/CodeCache.h"
#include <memory>
#include <optional>
#include <string>

namespace parablock {

/// The cache in `folder`; for an empty one, that of the environment:
/// $PARABLOCK_CACHE, $XDG_CACHE_HOME/parablock or $HOME/.cache/parablock. Null
/// where the environment has none, or PARABLOCK_CACHE is empty or 0. An error
/// where PARABLOCK_CACHE_LIMIT is no number of bytes.
llvm::Expected<std::unique_ptr<CodeCache>>
openCodeCache(llvm::StringRef folder);

/// All that the code of `function` depends on, whose module has kernels
/// already. None where something has no name that changes with it, as programs
/// that were linked without a build id.
std::optional<std::string> makeCodeKey(mlir::func::FuncOp function,
                                       const CpuTarget &target,
                                       const CpuRank &rank);

/// Programs of this process that asked a cache for their code.
struct CodeCacheCounts {
  uint64_t hits = 0, misses = 0;
};

CodeCacheCounts getCodeCacheCounts();
void countCodeCacheUse(bool isHit);

} // namespace parablock

#endif // PARABLOCK_CPUENGINE_CODECACHE_H
