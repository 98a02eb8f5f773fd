//===- ReadSpeed.h - speed of memory ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_BENCH_READSPEED_H
#define PARABLOCK_TOOLS_BLOCK_BENCH_READSPEED_H

#include <cstdint>

namespace bench {

/// Milliseconds of a plain loop over memory: of the fastest, and on average.
struct ReadTimes {
  double fastest = 0, mean = 0;
};

/// Times `repeat` plain loops over `bytes` bytes, shared by `threads` threads.
/// Returns 0 if the memory cannot be allocated.
ReadTimes measureReading(uint64_t bytes, unsigned threads, unsigned repeat);

} // namespace bench

#endif // PARABLOCK_TOOLS_BLOCK_BENCH_READSPEED_H
