//===- CacheBuffers.h - keys and values in one piece ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_CACHEBUFFERS_H
#define PARABLOCK_GENERATION_CACHEBUFFERS_H

#include "parablock/Engines/Generation/CacheMemory.h"

namespace parablock::generation {

/// The rows of a ring for a window of so many tokens: beyond it so many may
/// come in one call, and be taken back.
int64_t countRingRows(int64_t window);

/// A buffer for each cache. There is room from the beginning for what is
/// expected, as far as that is no waste; beyond it buffers double. One that is
/// seen through a window does not grow beyond it and some more: it is a ring,
/// token t in row t modulo its rows.
class CacheBuffers : public CacheMemory {
public:
  /// `expected` are the tokens that a row may come to hold.
  CacheBuffers(llvm::ArrayRef<CachePort> ports, int64_t batch,
               int64_t expected);

  /// Rings have no room for all of a long prompt.
  int64_t countNext(int64_t held, int64_t tokens) const override;
  llvm::Error reserve(int64_t held, int64_t tokens) override;
  const ParablockTensor &operator[](size_t index) const override {
    return buffers[index].getTensor();
  }

private:
  llvm::Error grow(CacheBuffer &buffer, int64_t rows, int64_t held) const;

  std::vector<CacheBuffer> buffers;
  int64_t batch, expected;
  /// Tokens of a row that there is room for, in buffers that are no rings.
  int64_t room = 0;
  /// Rows of the smallest ring, and tokens that each may take in one call.
  std::optional<int64_t> leastRing, leastBeyond;
};

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_CACHEBUFFERS_H
