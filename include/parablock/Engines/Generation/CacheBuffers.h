//===- CacheBuffers.h - contiguous caches -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_CACHEBUFFERS_H
#define PARABLOCK_GENERATION_CACHEBUFFERS_H

#include "parablock/Engines/Generation/CacheMemory.h"

namespace parablock::generation {

/// The rows of a ring for a window: in addition to the window, a call may
/// append as many tokens again, and undo them.
int64_t countRingRows(int64_t window);

/// A buffer for each cache. The initial capacity covers the expected tokens,
/// within a bound; beyond it buffers double. A cache that is read through a
/// window grows only slightly beyond the window: it is a ring, with token t in
/// row t modulo its rows.
class CacheBuffers : public CacheMemory {
public:
  /// `expected` is the number of tokens that a row may reach.
  CacheBuffers(Machine &machine, const std::vector<CachePort> &ports,
               int64_t batch, int64_t expected);

  /// Rings cannot hold all of a long prompt.
  int64_t countNext(int64_t held, int64_t tokens) const override;
  Status reserve(int64_t held, int64_t tokens, int64_t lag = 0) override;
  const ParablockTensor &operator[](size_t index) const override {
    return buffers[index].getTensor();
  }

private:
  Status grow(CacheBuffer &buffer, int64_t rows, int64_t held,
              uint64_t together) const;

  Machine &machine;
  std::vector<CacheBuffer> buffers;
  int64_t batch, expected;
  /// Capacity in tokens of a row, in buffers that are not rings.
  int64_t room = 0;
  /// Rows of the smallest ring, and tokens that each accepts in one call.
  std::optional<int64_t> leastRing, leastBeyond;
};

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_CACHEBUFFERS_H
