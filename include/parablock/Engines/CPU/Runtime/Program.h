//===- Program.h - programs as data -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What runs a plan: with the addresses of its kernels, in one process with the
// compiler; from an object file, it is read from a row of numbers:
//
//   program  version, features that its code needs, list of symbols, list of
//   tensors, list of prepack
//            launches, list of launches
//   symbol   tensor and dimension of its first place
//   tensor   kind, bytes per element, position, first use, last use, list of
//            extents
//   launch   kernel, list of tensors, list of extents, number of results, work,
//            grain, scratch bytes, list of offsets, whether it reports
//   work     factor, list of outer extents, list of inner extents, block
//   extent   value, symbol
//   list     its length, then its items
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_RUNTIME_PROGRAM_H
#define PARABLOCK_CPU_RUNTIME_PROGRAM_H

#include "parablock/Engines/CPU/Runtime/Processor.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parablock::cpu {

/// The version of the row of numbers.
inline constexpr int64_t programVersion = 6;

/// The alignment of tensors, packed weights and scratch.
inline constexpr uint64_t alignment = 64;

using Kernel = void (*)(void *const *tensors, const int64_t *dims,
                        char *scratch, int64_t begin, int64_t end);

using Symbols = std::vector<int64_t>;

/// Largest number of bytes of a run, far below overflow.
inline constexpr uint64_t mostBytes = uint64_t(1) << 56;

struct ExtentData {
  /// The size, or the divisor of the symbol's value.
  int64_t value = 0, symbol = -1;
  int64_t evaluate(const Symbols &symbols) const {
    return symbol < 0 ? value : symbols[static_cast<size_t>(symbol)] / value;
  }
  /// Returns whether nothing remains: ranks have equal shares.
  bool divides(const Symbols &symbols) const {
    return symbol < 0 || symbols[static_cast<size_t>(symbol)] % value == 0;
  }
};

/// In the order of plan::TensorKind, whose last kind does not exist on CPUs.
enum class TensorKind { Parameter, Packed, Input, Temporary, Result };

struct TensorData {
  TensorKind kind = TensorKind::Temporary;
  int64_t elementBytes = 0, position = 0, firstUse = 0, lastUse = 0;
  std::vector<ExtentData> shape;

  /// Returns more than `mostBytes` if a size is negative or the product is too
  /// large.
  uint64_t getBytes(const Symbols &symbols) const;
};

struct WorkData {
  int64_t factor = 1;
  std::vector<ExtentData> outer, inner;
  int64_t block = 1;

  int64_t evaluate(const Symbols &symbols) const;
};

struct LaunchData {
  int64_t kernel = 0;
  std::vector<int64_t> tensors;
  std::vector<ExtentData> dims;
  int64_t numResults = 0;
  WorkData work;
  int64_t grain = 1, scratchBytes = 0;
  /// Byte offset of the current part of each tensor; empty if all are
  /// whole.
  std::vector<int64_t> offsets;
  /// True if its last tensor is a Fault.
  int64_t reports = 0;
};

/// A fault of data that a launch found. Kernels write one as so many numbers.
struct Fault {
  enum Kind {
    None,
    /// Row, expert.
    NanLogit,
    /// Row.
    NanScore,
    /// Row, slot, index, number of experts.
    IndexWithoutExpert,
    /// The same, of a router's gradient.
    IndexWithoutLogit
  };
  int64_t kind = None;
  int64_t numbers[4] = {};
};

/// The launches of a program from `begin` up to, excluding, `end`.
struct LaunchRange {
  size_t begin = 0, end = SIZE_MAX;
};

/// One step of a sum or a product of sizes, in postfix
/// order.
struct SizeStep {
  enum Kind { Constant, Symbol, Add, Multiply, FloorDiv, CeilDiv, Mod };
  int64_t kind = Constant;
  /// The constant, or the symbol's number.
  int64_t value = 0;
};

struct SymbolData {
  /// The place where the caller's choice is read.
  int64_t tensor = 0, dim = 0;
  /// The steps that compute it from earlier symbols; empty if the caller
  /// chooses it.
  std::vector<SizeStep> steps;

  bool isComputed() const { return !steps.empty(); }
  /// Returns -1 if a step has no result.
  int64_t evaluate(const Symbols &symbols) const;
};

struct ProgramData {
  FeatureSet needs = 0;
  std::vector<SymbolData> symbols;
  std::vector<TensorData> tensors;
  std::vector<LaunchData> prepack, launches;

  /// Returns false if the numbers have another version.
  bool decode(const int64_t *numbers);
};

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_PROGRAM_H
