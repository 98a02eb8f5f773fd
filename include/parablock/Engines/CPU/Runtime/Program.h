//===- Program.h - a compiled function as data ------------------*- C++ -*-===//
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
//            grain, scratch bytes, list of offsets
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
inline constexpr int64_t programVersion = 5;

/// The alignment of tensors, packed weights and scratch.
inline constexpr uint64_t alignment = 64;

using Kernel = void (*)(void *const *tensors, const int64_t *dims,
                        char *scratch, int64_t begin, int64_t end);

using Symbols = std::vector<int64_t>;

/// The most bytes that a run may take, far from where numbers end.
inline constexpr uint64_t mostBytes = uint64_t(1) << 56;

struct ExtentData {
  /// The size, or what the symbol's value is divided by.
  int64_t value = 0, symbol = -1;
  int64_t evaluate(const Symbols &symbols) const {
    return symbol < 0 ? value : symbols[static_cast<size_t>(symbol)] / value;
  }
};

/// In the order of plan::TensorKind, whose last is none for a CPU.
enum class TensorKind { Parameter, Packed, Input, Temporary, Result };

struct TensorData {
  TensorKind kind = TensorKind::Temporary;
  int64_t elementBytes = 0, position = 0, firstUse = 0, lastUse = 0;
  std::vector<ExtentData> shape;

  /// More than `mostBytes` where a size is negative or there are too many.
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
  /// Bytes that the part at hand of each tensor begins behind; none where all
  /// are whole.
  std::vector<int64_t> offsets;
};

/// Launches of a program from one to, not with, another.
struct LaunchRange {
  size_t begin = 0, end = SIZE_MAX;
};

/// One step of a sum or a product of sizes, in the order in which a stack of
/// numbers takes them.
struct SizeStep {
  enum Kind { Constant, Symbol, Add, Multiply, FloorDiv, CeilDiv, Mod };
  int64_t kind = Constant;
  /// The constant, or the symbol's number.
  int64_t value = 0;
};

struct SymbolData {
  /// Where the caller's choice is read.
  int64_t tensor = 0, dim = 0;
  /// The steps that compute it from symbols before it; none where it is chosen.
  std::vector<SizeStep> steps;

  bool isComputed() const { return !steps.empty(); }
  /// Gives -1 where a step has no result.
  int64_t evaluate(const Symbols &symbols) const;
};

struct ProgramData {
  FeatureSet needs = 0;
  std::vector<SymbolData> symbols;
  std::vector<TensorData> tensors;
  std::vector<LaunchData> prepack, launches;

  /// False where the numbers are of another version.
  bool decode(const int64_t *numbers);
};

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_PROGRAM_H
