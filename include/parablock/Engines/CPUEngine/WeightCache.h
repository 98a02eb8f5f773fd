//===- WeightCache.h - cache of packed weights ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One file for each program and set of weights, mapped into memory and so
// shared by processes. A lookup returns the stored bytes or nothing: files
// belong to the user, and all bytes are verified by checksums.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPUENGINE_WEIGHTCACHE_H
#define PARABLOCK_CPUENGINE_WEIGHTCACHE_H

#include "parablock-c/Pool.h"
#include "parablock/Files/PrivateFolder.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>

namespace parablock {

/// Packed weights in a mapped file, valid during the object's lifetime.
class KeptWeights {
public:
  const void *data() const { return weights.data(); }

private:
  friend class WeightCache;
  files::FileMapping file;
  llvm::StringRef weights;
};

class WeightCache {
public:
  /// Default limit on the bytes of all files, if packed weights are
  /// kept.
  static constexpr uint64_t defaultLimit = uint64_t(16) << 30;

  WeightCache(const std::string &folder, uint64_t limit);

  /// Opens the cache in `folder`, which is that of code (CodeCache.h). Returns
  /// null if there is no folder, or if $PARABLOCK_WEIGHT_CACHE is 0, or unset
  /// while `isWanted` is false; an error if the variable is not a number of
  /// bytes.
  static llvm::Expected<std::unique_ptr<WeightCache>>
  open(llvm::StringRef folder, bool isWanted);

  /// Returns the entry with that key if it has `bytes` bytes.
  std::optional<KeptWeights> find(llvm::StringRef key, uint64_t bytes,
                                  ParablockPool &pool) const;
  /// Stores weights, if they fit.
  void keep(llvm::StringRef key, llvm::StringRef weights, ParablockPool &pool);

private:
  files::PrivateFolder folder;
  uint64_t limit;
  bool isUsable;
};

/// Lookups of packed weights by programs in this process.
struct WeightCacheCounts {
  uint64_t hits = 0, misses = 0;
};

WeightCacheCounts getWeightCacheCounts();
void countWeightCacheUse(bool isHit);

} // namespace parablock

#endif // PARABLOCK_CPUENGINE_WEIGHTCACHE_H
