//===- Matmul.cpp - sums of products of rows ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Matmul.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <algorithm>
#include <vector>

using namespace parablock;
using namespace parablock::reference;

/// Below this much work a second thread costs more than it brings.
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

/// Rows of `b` whose sums are formed side by side, in the lanes of vectors;
/// and rows of `a` that share each vector of `b`.
static constexpr int64_t panelWidth = 4;
static constexpr int64_t tileRows = 4;

/// Sums of `numRows` rows of `a` with one panel, `panel[k * panelWidth + o]`.
template <int64_t numRows>
static void multiplyTile(const double *a, int64_t stride, const double *panel,
                         int64_t columns, double *sums) {
  double partial[numRows][panelWidth] = {};
  for (int64_t k = 0; k < columns; ++k)
    for (int64_t r = 0; r < numRows; ++r)
      for (int64_t o = 0; o < panelWidth; ++o)
        partial[r][o] += a[r * stride + k] * panel[k * panelWidth + o];
  std::copy_n(&partial[0][0], numRows * panelWidth, sums);
}

/// All rows of `a` with the rows of `b` from `first` on, up to a panel full.
static void multiplyPanel(MatrixView a, MatrixView b, int64_t first,
                          double *result, int64_t resultStride) {
  int64_t width = std::min(panelWidth, b.rows - first);
  std::vector<double> panel(panelWidth * b.columns);
  for (int64_t o = 0; o < width; ++o)
    for (int64_t k = 0; k < b.columns; ++k)
      panel[k * panelWidth + o] = b.data[(first + o) * b.stride + k];

  double sums[tileRows * panelWidth];
  for (int64_t row = 0; row < a.rows;) {
    const double *rowData = a.data + row * a.stride;
    int64_t numRows = row + tileRows <= a.rows ? tileRows : 1;
    if (numRows == tileRows)
      multiplyTile<tileRows>(rowData, a.stride, panel.data(), a.columns, sums);
    else
      multiplyTile<1>(rowData, a.stride, panel.data(), a.columns, sums);
    for (int64_t r = 0; r < numRows; ++r)
      std::copy_n(sums + r * panelWidth, width,
                  result + (row + r) * resultStride + first);
    row += numRows;
  }
}

void reference::multiplyTransposed(MatrixView a, MatrixView b, double *result,
                                   int64_t resultStride) {
  int64_t panels = llvm::divideCeil(b.rows, panelWidth);
  reference::parallelFor(
      panels, a.rows * panelWidth * b.columns, [&](int64_t panel) {
        multiplyPanel(a, b, panel * panelWidth, result, resultStride);
      });
}
