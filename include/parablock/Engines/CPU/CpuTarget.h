//===- CpuTarget.h - the processor that code is made for --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which code is for which processor stands in two tables of CpuTarget.cpp:
// classes of processors by their vectors, and ways to add products up.
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

/// Sums that registers hold: rows times vectors of columns.
struct CpuTile {
  int64_t rows, vectors;
};

/// Processors with the same vectors.
struct CpuClass {
  llvm::StringLiteral name;
  /// LLVM's names of what its code takes, separated by commas.
  llvm::StringLiteral needs;
  unsigned vectorBits;
  CpuTile gemm, attention;
};

/// A way to add products up, for some type of factors.
enum class CpuPath { Fma, BF16Dot, BF16Tiles, F16Tiles };
inline constexpr size_t numCpuPaths = 4;

struct CpuPathInfo {
  llvm::StringLiteral name;
  /// The features beside those of the class.
  llvm::StringLiteral needs;
  unsigned vectorBits;
  /// The type of both factors; F32 for any, which is brought to f32 first.
  ElementType factors;
  /// Steps of the depth that an instruction takes.
  int64_t depth;
  /// Rows of a tile, where those of the class are not taken.
  int64_t rows;
  /// The rate over that of f32 FMA, of models that no row of their own names.
  double rate;
};

const CpuPathInfo &getInfo(CpuPath path);

inline bool isTilePath(CpuPath path) {
  return path == CpuPath::BF16Tiles || path == CpuPath::F16Tiles;
}

/// Multiplications with additions a nanosecond of one core, or in units of f32
/// FMA; 0 for paths that the processor lacks.
using CpuRates = std::array<double, numCpuPaths>;

struct CpuTarget {
  /// As LLVM names them; for its TargetMachine.
  std::string triple, cpu, features;
  const CpuClass *processorClass = nullptr;
  /// Width of the registers to use.
  unsigned vectorBits = 128;
  bool hasFma = false;
  /// Converts between f16 and f32.
  bool hasF16C = false;
  /// Sums up products of bytes, four at a time.
  bool hasByteProducts = false;
  /// How far ahead of use codes are fetched that products of bytes read; 0
  /// where the processor does better by itself.
  int64_t codesAhead = 0;
  /// Features that code may be made of.
  cpu::FeatureSet needs = 0;
  CpuRates rates = {};
  /// True where instructions on tiles are calls of functions (TileEmulation.h).
  bool emulatesTiles = false;

  /// Elements of f32 in a register.
  int64_t getLanes() const { return vectorBits / 32; }
  bool has(CpuPath path) const { return rates[size_t(path)] > 0; }
  /// The fastest path for factors of that type, in products of such depths.
  CpuPath choosePath(ElementType factors, llvm::ArrayRef<int64_t> depths) const;
  /// The class and the paths that are taken, such as "x86-64-v4 bf16-dot".
  std::string getClassName() const;
};

/// The processor this runs on for an empty name, "host" or "native", whose
/// rates are measured once per process; else the one that LLVM knows by that
/// name, such as x86-64, x86-64-v3 or znver4, with rates that are known. An
/// unknown name is an error.
llvm::Expected<CpuTarget> findCpuTarget(llvm::StringRef name);

/// Code that is chosen for `target` as code for this machine, with functions in
/// place of instructions on tiles. An error where it lacks anything else.
llvm::Expected<CpuTarget> emulateTiles(const CpuTarget &target);

/// An error that names what `target` has and this machine lacks.
llvm::Error checkRunsHere(const CpuTarget &target);

/// Measures the paths that `target`, this machine, has, in less than 5 ms.
CpuRates measureCpuRates(const CpuTarget &target);

} // namespace parablock

#endif // PARABLOCK_CPU_CPUTARGET_H
