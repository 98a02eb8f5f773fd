//===- CpuTarget.h - processors and their features --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two tables in CpuTarget.cpp assign code to processors: classes of processors
// by their vectors, and ways to accumulate products.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_CPUTARGET_H
#define PARABLOCK_CPU_CPUTARGET_H

#include "parablock/Engines/CPU/Runtime/Processor.h"
#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>

namespace parablock {

/// Sums held in registers: rows times vectors of columns.
struct CpuTile {
  int64_t rows, vectors;
};

/// Processors with the same vector width.
struct CpuClass {
  llvm::StringLiteral name;
  /// LLVM names of the features that the code requires, separated by commas.
  llvm::StringLiteral needs;
  unsigned vectorBits;
  CpuTile gemm, attention;
};

/// A way to accumulate products, for some type of factors.
enum class CpuPath { Fma, BF16Dot, BF16Tiles, F16Tiles };
inline constexpr size_t numCpuPaths = 4;

struct CpuPathInfo {
  llvm::StringLiteral name;
  /// The features required in addition to those of the class.
  llvm::StringLiteral needs;
  unsigned vectorBits;
  /// The type of both factors; F32 for any, converted to f32 first.
  ElementType factors;
  /// Steps of the depth per instruction.
  int64_t depth;
  /// Rows of a tile; overrides the rows of the class.
  int64_t rows;
  /// The rate relative to f32 FMA for processors without their own row.
  double rate;
};

const CpuPathInfo &getInfo(CpuPath path);

inline bool isTilePath(CpuPath path) {
  return path == CpuPath::BF16Tiles || path == CpuPath::F16Tiles;
}

/// Multiply-adds per nanosecond of one core, or relative to f32 FMA; 0 for
/// paths that the processor lacks.
using CpuRates = std::array<double, numCpuPaths>;

struct CpuTarget {
  /// In LLVM's spelling, for its TargetMachine.
  std::string triple, cpu, features;
  const CpuClass *processorClass = nullptr;
  /// Width of the vector registers to use.
  unsigned vectorBits = 128;
  bool hasFma = false;
  /// Converts between f16 and f32.
  bool hasF16C = false;
  /// Sums products of bytes, four at a time.
  bool hasByteProducts = false;
  /// Prefetch distance for codes read by products of bytes; 0 if the processor
  /// is faster without prefetching.
  int64_t codesAhead = 0;
  /// Features that code may use.
  cpu::FeatureSet needs = 0;
  CpuRates rates = {};
  /// True if tile instructions are replaced by calls (TileEmulation.h).
  bool emulatesTiles = false;

  /// Elements of f32 in a register.
  int64_t getLanes() const { return vectorBits / 32; }
  bool has(CpuPath path) const { return rates[size_t(path)] > 0; }
  /// Returns the fastest path for factors of that type, in products of such
  /// depths.
  CpuPath choosePath(ElementType factors, llvm::ArrayRef<int64_t> depths) const;
  /// Returns the class and the paths in use, such as "x86-64-v4 bf16-dot".
  std::string getClassName() const;
};

/// Returns the processor of this machine for an empty name, "host" or "native",
/// with rates measured once per process; otherwise the processor with that LLVM
/// name, such as x86-64, x86-64-v3 or znver4, with known rates. An unknown name
/// is an error.
llvm::Expected<CpuTarget> findCpuTarget(llvm::StringRef name);

/// Returns this machine as a target with the code of `target`, with functions
/// in place of tile instructions. Fails if the machine lacks any other feature.
llvm::Expected<CpuTarget> emulateTiles(const CpuTarget &target);

/// Returns an error that names a feature of `target` missing on this machine.
llvm::Error checkRunsHere(const CpuTarget &target);

/// Measures the paths of `target`, this machine, in less than 5 ms.
CpuRates measureCpuRates(const CpuTarget &target);

} // namespace parablock

#endif // PARABLOCK_CPU_CPUTARGET_H
