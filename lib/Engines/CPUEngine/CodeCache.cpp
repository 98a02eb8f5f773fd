//===- CodeCache.cpp - opens the cache and counts lookups -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPUEngine/CodeCache.h"

#include "CacheEnvironment.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"
#include <atomic>
#include <mutex>

using namespace parablock;
using llvm::StringRef;

llvm::Expected<std::unique_ptr<CodeCache>>
parablock::openCodeCache(StringRef folder) {
  std::optional<std::string> path = findCacheFolder(folder);
  if (!path)
    return nullptr;
  llvm::Expected<uint64_t> limit =
      readCacheLimit("PARABLOCK_CACHE_LIMIT", CodeCache::defaultLimit);
  if (!limit)
    return limit.takeError();
  return std::make_unique<CodeCache>(*path, *limit);
}

void parablock::warnUncached(mlir::Location loc, const std::string &fault) {
  static std::mutex mutex;
  static llvm::StringSet<> said;
  std::lock_guard<std::mutex> lock(mutex);
  if (said.insert(fault).second)
    emitWarning(loc) << "code is compiled anew, and not kept: " << fault;
}

static std::atomic<uint64_t> codeHits, codeMisses;

CodeCacheCounts parablock::getCodeCacheCounts() {
  return {codeHits.load(), codeMisses.load()};
}

void parablock::countCodeCacheUse(bool isHit) {
  ++(isHit ? codeHits : codeMisses);
}
