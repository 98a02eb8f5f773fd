//===- Processor.cpp - reads CPUID and requests tiles ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/Runtime/Processor.h"

using namespace parablock::cpu;

#if defined(__x86_64__)

#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace {
enum Register { EAX, EBX, ECX, EDX };

/// Registers of a thread that a system must save, as bits of XCR0.
enum State : uint64_t {
  None = 0,
  Vectors = 0x6,
  WideVectors = 0xE6,
  Tiles = 0x60000
};

struct Feature {
  unsigned leaf, subleaf;
  Register where;
  unsigned bit;
  State state;
};
} // namespace

static constexpr Feature features[] = {
#define PARABLOCK_CPU_FEATURE(name, leaf, subleaf, reg, bit, state)            \
  {leaf, subleaf, reg, bit, state},
#include "parablock/Engines/CPU/Runtime/Features.def"
};

static bool hasBit(const Feature &feature) {
  unsigned words[4] = {};
  return __get_cpuid_count(feature.leaf, feature.subleaf, &words[EAX],
                           &words[EBX], &words[ECX], &words[EDX]) &&
         (words[feature.where] >> feature.bit & 1) != 0;
}

/// The states that the system has turned on.
static uint64_t getSavedStates() {
  constexpr Feature osxsave = {1, 0, ECX, 27, None};
  if (!hasBit(osxsave))
    return 0;
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

/// Tiles are eight kilobytes per thread: Linux grants them on request.
static bool requestTiles() {
#if defined(__linux__)
  constexpr long requestPermission = 0x1023, tileData = 18;
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
#else
  return false;
#endif
}

static FeatureSet findFeatures() {
  uint64_t saved = getSavedStates();
  if ((saved & Tiles) == Tiles && !requestTiles())
    saved &= ~uint64_t(Tiles);
  FeatureSet found = 0;
  FeatureSet bit = 1;
  for (const Feature &feature : features) {
    if ((saved & feature.state) == feature.state && hasBit(feature))
      found |= bit;
    bit <<= 1;
  }
  return found;
}

#else

static FeatureSet findFeatures() { return 0; }

#endif

FeatureSet parablock::cpu::getFeatures() {
  static const FeatureSet found = findFeatures();
  return found;
}
