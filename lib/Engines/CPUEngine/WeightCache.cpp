//===- WeightCache.cpp - maps files of weights and checks sums ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A file contains a magic number, a hash of its name and of all checksums, the
// checksums, one for each part of the weights, zeros up to the next page, and
// the weights. The hash protects against forgery; the checksums are fast, and
// detect damage by disks and power failures.
//
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPUEngine/WeightCache.h"

#include "CacheEnvironment.h"
#include "parablock/Files/Sha256.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <atomic>
#include <vector>

using namespace parablock;
using llvm::StringRef;

/// Another number where the form of files changes.
static constexpr StringRef ending = ".weights", mark = "parablock weights 1\n";
static constexpr uint64_t partBytes = uint64_t(4) << 20, pageBytes = 4096;

static std::string hash(StringRef text) {
  return files::computeSha256({text.data(), text.size()});
}

namespace {
struct Sums {
  StringRef weights;
  std::vector<uint64_t> values;
};
} // namespace

static void sumParts(void *context, int32_t, int64_t begin, int64_t end) {
  auto &sums = *static_cast<Sums *>(context);
  for (int64_t i = begin; i < end; ++i)
    sums.values[i] =
        llvm::xxh3_64bits(sums.weights.substr(i * partBytes, partBytes));
}

/// Returns the bytes before the weights in the file of that name.
static std::string makeHead(StringRef name, StringRef weights,
                            ParablockPool &pool) {
  Sums sums = {weights, {}};
  sums.values.resize(llvm::divideCeil(weights.size(), partBytes));
  pool.run(&pool, static_cast<int64_t>(sums.values.size()), /*grain=*/1,
           sumParts, &sums);
  StringRef bytes(reinterpret_cast<const char *>(sums.values.data()),
                  sums.values.size() * sizeof(uint64_t));
  std::string head = (mark + hash((name + bytes).str()) + bytes).str();
  head.resize(llvm::alignTo(head.size(), pageBytes));
  return head;
}

static uint64_t getHeadBytes(StringRef name, uint64_t bytes) {
  uint64_t sums = llvm::divideCeil(bytes, partBytes) * sizeof(uint64_t);
  return llvm::alignTo(mark.size() + name.size() + sums, pageBytes);
}

WeightCache::WeightCache(const std::string &path, uint64_t limit)
    : limit(limit), isUsable(!folder.open(path)) {}

llvm::Expected<std::unique_ptr<WeightCache>> WeightCache::open(StringRef folder,
                                                               bool isWanted) {
  llvm::Expected<uint64_t> limit = readCacheLimit(
      "PARABLOCK_WEIGHT_CACHE", isWanted ? WeightCache::defaultLimit : 0);
  if (!limit)
    return limit.takeError();
  std::optional<std::string> path = findCacheFolder(folder);
  if (*limit == 0 || !path)
    return nullptr;
  return std::make_unique<WeightCache>(*path, *limit);
}

std::optional<KeptWeights> WeightCache::find(StringRef key, uint64_t bytes,
                                             ParablockPool &pool) const {
  std::string name = hash(key);
  uint64_t headBytes = getHeadBytes(name, bytes);
  KeptWeights kept;
  if (!isUsable || bytes == 0 ||
      !folder.map(name + ending.str(), headBytes + bytes, kept.file))
    return std::nullopt;
  StringRef file = kept.file.getBytes();
  kept.weights = file.drop_front(headBytes);
  if (file.take_front(headBytes) != makeHead(name, kept.weights, pool))
    return std::nullopt;
  return kept;
}

void WeightCache::keep(StringRef key, StringRef weights, ParablockPool &pool) {
  std::string name = hash(key), head = makeHead(name, weights, pool);
  // An entry above the limit would evict all others, and then itself.
  if (!isUsable || weights.empty() || head.size() + weights.size() > limit)
    return;
  // A full disk costs time alone.
  if (!folder.write(name + ending.str(), {head, weights}))
    folder.limit(ending, limit);
}

static std::atomic<uint64_t> weightHits, weightMisses;

WeightCacheCounts parablock::getWeightCacheCounts() {
  return {weightHits.load(), weightMisses.load()};
}

void parablock::countWeightCacheUse(bool isHit) {
  ++(isHit ? weightHits : weightMisses);
}
