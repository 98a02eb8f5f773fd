//===- Random.h - the choices of one fuzzer case ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_RANDOM_H
#define PARABLOCK_UNITTESTS_FUZZ_RANDOM_H

#include "parablock/Support/SeededRandom.h"
#include <iterator>

namespace parablock::fuzz {

/// A sequence of choices that depends on its seed alone.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() { return splitmix64(state++ * 0x9E3779B97F4A7C15); }
  /// 0 to count - 1; count must not be 0.
  uint64_t below(uint64_t count) { return next() % count; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename Range> decltype(auto) among(Range &&range) {
    return *std::next(std::begin(range), below(std::size(range)));
  }

private:
  uint64_t state;
};

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_RANDOM_H
