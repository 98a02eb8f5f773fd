//===- ReadSpeed.h - how fast memory can be read ----------------*- C++ -*-===//
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

/// Times `repeat` plain loops over `bytes` bytes, which `threads` threads
/// share. 0 where there is no such memory.
ReadTimes measureReading(uint64_t bytes, unsigned threads, unsigned repeat);

} // namespace bench

#endif // PARABLOCK_TOOLS_BLOCK_BENCH_READSPEED_H
