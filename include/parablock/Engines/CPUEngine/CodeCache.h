//===- CodeCache.h - compiled code kept between processes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A file for each program, by the hash of all that its code depends on. What
// comes out is what was put in, or nothing: files are the user's own, and each
// has a hash of its key and contents.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPUENGINE_CODECACHE_H
#define PARABLOCK_CPUENGINE_CODECACHE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Engines/CPU/CpuProgram.h"
#include "parablock/Files/PrivateFolder.h"
#include <memory>
#include <optional>
#include <string>

namespace parablock {

class CodeCache {
public:
  /// The bytes that files may take together where nobody says.
  static constexpr uint64_t defaultLimit = uint64_t(256) << 20;

  CodeCache(const std::string &folder, uint64_t limit = defaultLimit);

  /// The cache in `folder`; for an empty one, that of the environment:
  /// $PARABLOCK_CACHE, $XDG_CACHE_HOME/parablock or $HOME/.cache/parablock.
  /// Null where the environment has none, or PARABLOCK_CACHE is empty or 0. An
  /// error where PARABLOCK_CACHE_LIMIT is no number of bytes.
  static llvm::Expected<std::unique_ptr<CodeCache>>
  open(llvm::StringRef folder);

  /// Why nothing is kept, if that is so.
  const std::string &getFault() const { return fault; }

  /// Gives what was kept by that key.
  std::optional<std::string> find(llvm::StringRef key) const;
  void keep(llvm::StringRef key, llvm::StringRef contents);

private:
  files::PrivateFolder folder;
  uint64_t limit;
  std::string fault;
};

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
