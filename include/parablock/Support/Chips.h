//===- Chips.h - the chips that are known -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_CHIPS_H
#define PARABLOCK_SUPPORT_CHIPS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// All that is known of a chip. Peaks are as the maker gives them, for dense
/// matrix products. For `cpu` all numbers are 0: CPUs differ too much for one.
struct Chip {
  /// That of the architecture that code is for; behind a hyphen, of a product
  /// that has it.
  llvm::StringRef name;
  /// The product that the numbers are of; empty for what is no GPU.
  llvm::StringRef product;
  /// The oldest PTX version with everything that kernels for the chip use: the
  /// older the version, the more drivers load it. Empty for what is no GPU.
  llvm::StringRef features;
  /// Operations per second on 16-bit operands, and on f32.
  double flops16, flops32;
  /// Bytes per second of device memory.
  double bandwidth;
  /// Operations per second on 16-bit operands, and bytes per second, that large
  /// products and copies were measured to reach; 0 where they were not.
  double reachedFlops16, reachedBandwidth;
  /// The cost of a launch behind one that it depends on.
  double launchSeconds;
  /// Bytes per second that a device sends to its neighbours while it receives
  /// as many, and what one step of a collective costs whatever its size.
  double linkBandwidth, linkSeconds;
  /// Streaming multiprocessors: CTAs of a persistent kernel.
  int64_t multiprocessors;
  /// Multiply-adds on 16-bit operands that the tensor cores of one of them do
  /// in a cycle.
  int64_t multiplyAdds;
  /// Bytes that the shared memory of one of them takes or gives in a cycle, and
  /// that the cache gives to all of them.
  int64_t sharedRate, cacheRate;
  /// Shared memory that one CTA may have.
  int64_t sharedBytes;
  /// The cache that all multiprocessors share.
  int64_t cacheBytes;
  /// True where there are TMA, mbarriers with transactions, and wgmma.
  bool isHopper;
  /// True where later chips run its PTX, too.
  bool isForward;

  bool isDevice() const { return !features.empty(); }
  bool isMeasured() const { return reachedFlops16 > 0; }
  /// Gives the name that backends and ptxas have for it.
  llvm::StringRef getArchitecture() const { return name.split('-').first; }
};

/// The chip of that name; an error names it and those that are known.
llvm::Expected<const Chip &> findChip(llvm::StringRef name);

/// The same of the GPUs, that code is made for.
llvm::Expected<const Chip &> findDeviceChip(llvm::StringRef name);

/// The GPU of a name that was looked up before.
const Chip &getDeviceChip(llvm::StringRef name);

/// The chip whose PTX later chips run, too: every package has code for it.
llvm::StringRef getForwardChip();

} // namespace parablock

#endif // PARABLOCK_SUPPORT_CHIPS_H
