//===- Matmul.cpp - multiplies blocked in f64 -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The innermost loop exists for several vector widths, chosen when the program
// starts. Lanes hold different sums, products are rounded before they are added
// (this file is compiled without contraction), and every sum runs over k
// upwards: all of them give the same bits.
//
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Reference/Matmul.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <algorithm>
#include <vector>

using namespace parablock;
using namespace parablock::reference;

/// Below this much work a second thread costs more than it gains.
static constexpr int64_t minParallelWork = 1 << 17;

void reference::parallelFor(int64_t count, int64_t workPerCall,
                            llvm::function_ref<void(int64_t)> body) {
  if (count < 2 || workPerCall < minParallelWork / count) {
    for (int64_t i = 0; i < count; ++i)
      body(i);
    return;
  }
  llvm::parallelFor(0, count, [&](size_t i) { body(static_cast<int64_t>(i)); });
}

//===----------------------------------------------------------------------===//
// One tile
//===----------------------------------------------------------------------===//

/// Rows of `b` whose sums are computed in the lanes of vectors; and rows of `a`
/// that share each vector of `b`.
static constexpr int64_t panelWidth = 8;
static constexpr int64_t tileRows = 6;

namespace {
/// Adds `columns` more products to `sums[r][o]` of `rows` rows of `a`; `panel[k
/// * panelWidth + o]`.
struct Tile {
  const double *a;
  int64_t stride;
  const double *panel;
  int64_t columns;
  double *sums;
};
} // namespace

/// One row of sums; the compiler splits it into the machine's vectors.
using Lanes __attribute__((vector_size(panelWidth * sizeof(double)))) = double;

static inline __attribute__((always_inline)) void load(Lanes &lanes,
                                                       const double *from) {
  __builtin_memcpy(&lanes, from, sizeof(lanes));
}

template <int64_t numRows>
static inline __attribute__((always_inline)) void
addProducts(const Tile &tile) {
  Lanes partial[numRows];
  for (int64_t r = 0; r < numRows; ++r)
    load(partial[r], tile.sums + r * panelWidth);
  const double *panel = tile.panel;
  for (int64_t k = 0; k < tile.columns; ++k, panel += panelWidth) {
    Lanes b;
    load(b, panel);
    for (int64_t r = 0; r < numRows; ++r)
      partial[r] += tile.a[r * tile.stride + k] * b;
  }
  for (int64_t r = 0; r < numRows; ++r)
    __builtin_memcpy(tile.sums + r * panelWidth, &partial[r], sizeof(Lanes));
}

/// Tiles of `tileRows` rows, and of one.
using TileFunction = void (*)(const Tile &tile, bool isFull);

static void multiplyTile(const Tile &tile, bool isFull) {
  isFull ? addProducts<tileRows>(tile) : addProducts<1>(tile);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void multiplyTileAvx2(const Tile &tile,
                                                             bool isFull) {
  isFull ? addProducts<tileRows>(tile) : addProducts<1>(tile);
}

__attribute__((target("avx512f"))) static void
multiplyTileAvx512(const Tile &tile, bool isFull) {
  isFull ? addProducts<tileRows>(tile) : addProducts<1>(tile);
}
#endif

static TileFunction chooseTileFunction() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return multiplyTileAvx512;
  if (__builtin_cpu_supports("avx2"))
    return multiplyTileAvx2;
#endif
  return multiplyTile;
}

//===----------------------------------------------------------------------===//
// The matrix
//===----------------------------------------------------------------------===//

/// Rows of `a` and columns of both that stay in the near caches together.
static constexpr int64_t blockRows = 60;
static constexpr int64_t blockColumns = 256;

/// Panel by panel the rows of `b`, those beyond the last one zero.
static std::vector<double> pack(MatrixView b, int64_t panels) {
  std::vector<double> packed(panels * panelWidth * b.columns);
  reference::parallelFor(panels, panelWidth * b.columns, [&](int64_t index) {
    double *panel = packed.data() + index * panelWidth * b.columns;
    int64_t first = index * panelWidth;
    int64_t width = std::min(panelWidth, b.rows - first);
    for (int64_t o = 0; o < width; ++o)
      for (int64_t k = 0; k < b.columns; ++k)
        panel[k * panelWidth + o] = b.data[(first + o) * b.stride + k];
  });
  return packed;
}

void reference::multiplyTransposed(MatrixView a, MatrixView b, double *result,
                                   int64_t resultStride) {
  static const TileFunction tileFunction = chooseTileFunction();
  int64_t panels = llvm::divideCeil(b.rows, panelWidth);
  std::vector<double> packed = pack(b, panels);

  auto multiplyRows = [&](int64_t row, int64_t numRows, int64_t panel,
                          int64_t k, int64_t columns) {
    int64_t first = panel * panelWidth;
    int64_t width = std::min(panelWidth, b.rows - first);
    double sums[tileRows * panelWidth] = {};
    if (k != 0)
      for (int64_t r = 0; r < numRows; ++r)
        std::copy_n(result + (row + r) * resultStride + first, width,
                    sums + r * panelWidth);
    tileFunction({a.data + row * a.stride + k, a.stride,
                  packed.data() + (panel * b.columns + k) * panelWidth, columns,
                  sums},
                 numRows == tileRows);
    for (int64_t r = 0; r < numRows; ++r)
      std::copy_n(sums + r * panelWidth, width,
                  result + (row + r) * resultStride + first);
  };
  auto multiplyBlock = [&](int64_t block) {
    int64_t end = std::min(a.rows, (block + 1) * blockRows);
    // At least once, so that sums of nothing are written, too.
    int64_t k = 0;
    do {
      int64_t columns = std::min(blockColumns, a.columns - k);
      for (int64_t panel = 0; panel < panels; ++panel)
        for (int64_t row = block * blockRows; row < end;) {
          int64_t numRows = row + tileRows <= end ? tileRows : 1;
          multiplyRows(row, numRows, panel, k, columns);
          row += numRows;
        }
      k += columns;
    } while (k < a.columns);
  };
  reference::parallelFor(llvm::divideCeil(a.rows, blockRows),
                         std::min(a.rows, blockRows) * b.rows * b.columns,
                         multiplyBlock);
}
