//===- CodeCache.h - cache of compiled programs -----------------*- C++ -*-===//
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

/// Opens the cache in `folder`; an empty one selects the environment's:
/// $PARABLOCK_CACHE, $XDG_CACHE_HOME/parablock or $HOME/.cache/parablock.
/// Returns null if none is set, or PARABLOCK_CACHE is empty or 0. Fails if
/// PARABLOCK_CACHE_LIMIT is not a number of bytes.
llvm::Expected<std::unique_ptr<CodeCache>>
openCodeCache(llvm::StringRef folder);

/// Emits a warning that code is not cached, once for each fault.
void warnUncached(mlir::Location loc, const std::string &fault);

/// Names the compiler: versions and build ids of this project, of MLIR and of
/// LLVM. Returns none if one of them was linked without a build id.
const std::optional<std::string> &describeCompiler();

/// Prints all of a module that code depends on, without locations.
void printForKey(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Returns a key of everything that the code of `function` depends on; its
/// module must already have kernels. Returns none if a dependency has no
/// versioned name, such as a program linked without a build id.
std::optional<std::string> makeCodeKey(mlir::func::FuncOp function,
                                       const CpuTarget &target,
                                       const CpuRank &rank);

/// Cache lookups of code by programs in this process.
struct CodeCacheCounts {
  uint64_t hits = 0, misses = 0;
};

CodeCacheCounts getCodeCacheCounts();
void countCodeCacheUse(bool isHit);

} // namespace parablock

#endif // PARABLOCK_CPUENGINE_CODECACHE_H
