//===- WeightCache.h - packed weights kept between processes ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A file for each program and set of weights, which processes map into memory,
// so that they share it. What comes out is what was put in, or nothing: files
// are the user's own, and all bytes are held against sums of them.
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

/// Packed weights in a file, as long as this is there.
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
  /// Limit of bytes of all files if packed weights are kept and no limit is
  /// set.
  static constexpr uint64_t defaultLimit = uint64_t(16) << 30;

  WeightCache(const std::string &folder, uint64_t limit);

  /// The cache in `folder`, which is that of code (CodeCache.h). Null where
  /// there is none, or where $PARABLOCK_WEIGHT_CACHE says that files may take
  /// no bytes, or nothing, unless one `isWanted`; an error where it says
  /// something else than bytes.
  static llvm::Expected<std::unique_ptr<WeightCache>>
  open(llvm::StringRef folder, bool isWanted);

  /// Gives what was kept by that key, if it is so many bytes.
  std::optional<KeptWeights> find(llvm::StringRef key, uint64_t bytes,
                                  ParablockPool &pool) const;
  /// Keeps weights, if they fit.
  void keep(llvm::StringRef key, llvm::StringRef weights, ParablockPool &pool);

private:
  files::PrivateFolder folder;
  uint64_t limit;
  bool isUsable;
};

/// Programs of this process that looked for their packed weights.
struct WeightCacheCounts {
  uint64_t hits = 0, misses = 0;
};

WeightCacheCounts getWeightCacheCounts();
void countWeightCacheUse(bool isHit);

} // namespace parablock

#endif // PARABLOCK_CPUENGINE_WEIGHTCACHE_H
