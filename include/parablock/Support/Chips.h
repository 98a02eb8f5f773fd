//===- Chips.h - properties of chips ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_CHIPS_H
#define PARABLOCK_SUPPORT_CHIPS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Properties of a chip. Peaks are the maker's, for dense matrix products. For
/// `cpu` all numbers are 0, since CPUs differ too much.
struct Chip {
  /// The name of the architecture for code; after a hyphen, the name of a
  /// product with it.
  llvm::StringRef name;
  /// The product that the numbers describe; empty if it is not a GPU.
  llvm::StringRef product;
  /// The oldest PTX version with all features that kernels for the chip use:
  /// older versions load on more drivers. Empty if it is not a GPU.
  llvm::StringRef features;
  /// Operations per second on 16-bit operands, and on f32.
  double flops16, flops32;
  /// Bytes per second of device memory.
  double bandwidth;
  /// Measured rates of large products and copies: operations per second on
  /// 16-bit operands, and bytes per second; 0 if not measured.
  double reachedFlops16, reachedBandwidth;
  /// The cost of a launch after one that it depends on.
  double launchSeconds;
  /// Bytes per second that a device sends to its neighbours while receiving as
  /// many, and the fixed cost of one step of a collective.
  double linkBandwidth, linkSeconds;
  /// Streaming multiprocessors: CTAs of a persistent kernel.
  int64_t multiprocessors;
  /// Multiply-adds on 16-bit operands per cycle of the tensor cores of one
  /// multiprocessor.
  int64_t multiplyAdds;
  /// Bytes per cycle of the shared memory of one multiprocessor, and of the
  /// cache for all of them.
  int64_t sharedRate, cacheRate;
  /// Largest shared memory of one CTA.
  int64_t sharedBytes;
  /// Size of the cache shared by all multiprocessors.
  int64_t cacheBytes;
  /// True if the chip has TMA, mbarriers with transactions, and wgmma.
  bool isHopper;
  /// True if later chips run its PTX, too.
  bool isForward;

  /// Returns the largest shared memory of a CTA if a multiprocessor is to have
  /// room for that many of them.
  int64_t getSharedBytesBeside(int64_t ctas) const {
    constexpr int64_t reserved = 1024; // of each CTA
    return (sharedBytes + reserved) / ctas - reserved;
  }
  /// Returns the cycles of a second at which tensor cores reach their peak.
  double getClock() const {
    return flops16 /
           (2.0 * static_cast<double>(multiplyAdds * multiprocessors));
  }
  bool isDevice() const { return !features.empty(); }
  bool isMeasured() const { return reachedFlops16 > 0; }
  /// Returns its name for backends and ptxas.
  llvm::StringRef getArchitecture() const { return name.split('-').first; }
};

/// Returns the chip of that name; an error lists the known chips.
llvm::Expected<const Chip &> findChip(llvm::StringRef name);

/// Like findChip, for GPUs that code is generated for.
llvm::Expected<const Chip &> findDeviceChip(llvm::StringRef name);

/// Returns the GPU of a name that was looked up before.
const Chip &getDeviceChip(llvm::StringRef name);

/// Returns the chip whose PTX also runs on later chips: every package has code
/// for it.
llvm::StringRef getForwardChip();

} // namespace parablock

#endif // PARABLOCK_SUPPORT_CHIPS_H
