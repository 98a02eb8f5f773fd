//===- CacheBuffers.h - keys and values, written in place -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_CACHEBUFFERS_H
#define PARABLOCK_GENERATION_CACHEBUFFERS_H

#include "parablock-c/Program.h"
#include "parablock/Engines/Generation/TokenPorts.h"
#include <array>
#include <cstdlib>
#include <memory>

namespace parablock::generation {

/// Keys and values of all attentions, of rows that go on side by side. There is
/// room from the beginning for what is expected, as far as that is no waste;
/// beyond it buffers double. One that is seen through a window does not grow
/// beyond it and some more: it is a ring, token t in row t modulo its rows.
class CacheBuffers {
public:
  /// `expected` are the tokens that a row may come to hold.
  CacheBuffers(llvm::ArrayRef<CachePort> ports, int64_t batch,
               int64_t expected);

  /// Gives how many of so many tokens go in at once, where rows hold `held`:
  /// rings have no room for all of them.
  int64_t countNext(int64_t held, int64_t tokens) const;

  /// Makes room for rows of so many tokens, of which they hold `held`.
  llvm::Error reserve(int64_t held, int64_t tokens);

  /// Each buffer, in the order of the ports. Places stay; what they say changes
  /// where room is made.
  const ParablockTensor &operator[](size_t index) const {
    return buffers[index].tensor;
  }

private:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  struct Buffer {
    CachePort port;
    std::array<int64_t, 3> shape{};
    ParablockTensor tensor{};
    std::unique_ptr<char, Free> memory;
  };

  static llvm::Error grow(Buffer &buffer, int64_t rows, int64_t held);

  std::vector<Buffer> buffers;
  int64_t expected;
  /// Tokens of a row that there is room for, in buffers that are no rings.
  int64_t room = 0;
  /// Rows of the smallest ring, and tokens that each may take in one call.
  std::optional<int64_t> leastRing, leastBeyond;
};

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_CACHEBUFFERS_H
