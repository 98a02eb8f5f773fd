//===- Site.h - Instrumented instructions -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_SITE_H
#define PARABLOCK_EMULATOR_SITE_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>
#include <vector>

namespace parablock::emulator {

struct OpCall;

/// One operand or result of an operation.
union Slot {
  uint64_t u64;
  int64_t s64;
  uint32_t u32;
  int32_t s32;
  float f32;
  double f64;
  uint8_t i1;
};

using OpFunction = void (*)(OpCall &call);

/// A row of the closed table.
struct OpRow {
  const char *name;
  OpFunction function;
  /// Meaning is the function's own: a dimension, a size, a mode.
  int32_t parameter = 0;
};

/// An instruction of the module that the emulator instruments.
struct Site {
  std::string op, location;
  uint16_t index = 0;
  /// For calls: the row, the index of its name among the counters, and for
  /// assembly the operand of each slot and facts from its text.
  const OpRow *row = nullptr;
  uint32_t counter = 0;
  llvm::SmallVector<int32_t, 8> immediates;
  /// For loads and stores.
  uint32_t bytes = 0, align = 1;
  unsigned addressSpace = 0;
  bool isRead = false, isWrite = false;
  /// Atomic or volatile; a compare-and-swap is both a read and a write.
  bool isAtomic = false, acquires = false, releases = false;
};

/// All sites of a module, consecutively: compiled code refers to them by
/// index.
using SiteList = std::vector<Site>;
/// They are counted in 16 bits.
inline constexpr size_t maxSites = UINT16_MAX;

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_SITE_H
