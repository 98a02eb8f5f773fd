//===- GemmProgram.h - Products written as tile kernels ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_CONVERSION_GEMMPROGRAM_H
#define PARABLOCK_UNITTESTS_CONVERSION_GEMMPROGRAM_H

#include <cstdint>
#include <string>

namespace parablock::unittest {

/// The schedules of most programs, by the width of a row of tiles or the chip.
namespace schedules {
inline constexpr char
    mma80[] = "multiply = mma, copies = async, warps = 8, stages = 3, grid = 2",
    mma64[] = "multiply = mma, copies = async, warps = 4, stages = 2, grid = 3",
    mmaPlain[] =
        "multiply = mma, copies = plain, warps = 8, stages = 2, grid = 2",
    mmaOne[] =
        "multiply = mma, copies = async, warps = 4, stages = 1, grid = 1",
    mmaTma[] = "multiply = mma, copies = tma, warps = 4, producers = 4, "
               "stages = 2, grid = 1",
    wgmma128[] = "multiply = wgmma, copies = tma, warps = 8, producers = 4, "
                 "stages = 4, grid = 2",
    wgmma64[] = "multiply = wgmma, copies = tma, warps = 4, producers = 4, "
                "stages = 3, grid = 2",
    fma32[] = "multiply = fma, copies = async, warps = 8, stages = 2, grid = 2",
    fma32Plain[] =
        "multiply = fma, copies = plain, warps = 8, stages = 2, grid = 2";
} // namespace schedules

/// c[m, n] = sum_k a[m, k] * b[n, k], and of a second pair of depth `k2` where
/// that is not 0. Operands with their depth first are a[k, m] and b[k, n].
struct GemmProgram {
  std::string name = "gemm", type = "bf16";
  int64_t m = 128, n = 128, k = 64, k2 = 0;
  bool leftDepthFirst = false, rightDepthFirst = false;
  /// True where the second pair has a pipeline of its own, after the first.
  bool isChained = false;
  /// Where it is not 0, rows are those of so many batches, and how many each
  /// has is known at the launch only.
  int64_t batches = 0;
  int64_t tileRows = 128, tileColumns = 128;
  /// Without braces.
  std::string schedule;
  /// The right operand comes in so many copies.
  int64_t pieces = 1;
  /// Columns that are staged at a time, and the first of them.
  int64_t stagedColumns = 128;
  /// Instead of the number of steps that the depth takes.
  int64_t steps = -1;

  int64_t stepDepth() const { return type == "f32" ? 32 : 64; }
  /// The tile.kernel, and a gpu.module around it.
  std::string kernel() const;
  std::string text() const {
    return "gpu.module @kernels {\n" + kernel() + "}\n";
  }

private:
  /// The type of a tensor of m rows.
  std::string rowsType(int64_t columns, const std::string &element) const;
  /// The types of the operands, and of the buffers they come into.
  std::string leftType(int64_t depth) const;
  std::string rightType(int64_t depth) const;
  std::string leftBuffer() const;
  std::string rightBuffer() const;
  std::string copies(const std::string &source) const;
  std::string pipeline(const std::string &result, const std::string &init,
                       const std::string &count,
                       const std::string &produce) const;
  std::string epilogue() const;
};

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_CONVERSION_GEMMPROGRAM_H
