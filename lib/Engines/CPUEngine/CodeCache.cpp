//===- CodeCache.cpp - opens the cache and counts lookups -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPUEngine/CodeCache.h"

#include "CacheEnvironment.h"
#include <atomic>

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

static std::atomic<uint64_t> hits, misses;

CodeCacheCounts parablock::getCodeCacheCounts() {
  return {hits.load(), misses.load()};
}

void parablock::countCodeCacheUse(bool isHit) { ++(isHit ? hits : misses); }
