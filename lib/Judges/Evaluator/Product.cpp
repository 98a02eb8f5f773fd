//===- Product.cpp - packs and multiplies matrices ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Product.h"

#include "llvm/Support/Parallel.h"
#include <functional>
#include <numeric>
#include <vector>

using namespace parablock;
using namespace parablock::evaluator;

namespace {
/// Loops of one kind: those on which the same operands depend.
struct Kind {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<unsigned> loops;

  int64_t count() const {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<>());
  }
};
} // namespace

/// `c [m] += a [m, k] b [k]`, four sums at a time, each in sequential order.
static void multiplyVector(const double *a, const double *b, double *c,
                           int64_t rows, int64_t depth) {
  constexpr int64_t together = 4;
  for (int64_t row = 0; row < rows; row += together) {
    int64_t count = std::min(together, rows - row);
    double sums[together] = {};
    const double *from[together];
    for (int64_t i = 0; i < together; ++i) {
      from[i] = a + (row + std::min(i, count - 1)) * depth;
      sums[i] = c[row + std::min(i, count - 1)];
    }
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t i = 0; i < together; ++i)
        sums[i] += from[i][k] * b[k];
    std::copy_n(sums, count, c + row);
  }
}

/// `c [m, n] += a [m, k] b [k, n]`.
static void multiplyRows(const double *a, const double *b, double *c,
                         int64_t rows, int64_t depth, int64_t columns) {
  if (columns == 1)
    return multiplyVector(a, b, c, rows, depth);
  for (int64_t row = 0; row < rows; ++row, a += depth, c += columns)
    for (int64_t k = 0; k < depth; ++k) {
      const double factor = a[k];
      const double *from = b + k * columns;
      for (int64_t n = 0; n < columns; ++n)
        c[n] += factor * from[n];
    }
}

static void multiply(const double *a, const double *b, double *c, int64_t rows,
                     int64_t depth, int64_t columns) {
  constexpr int64_t rowsAtOnce = 8, worthThreads = 1 << 20;
  if (rows * depth * columns < worthThreads)
    return multiplyRows(a, b, c, rows, depth, columns);
  int64_t parts = (rows + rowsAtOnce - 1) / rowsAtOnce;
  llvm::parallelFor(0, parts, [&](size_t part) {
    int64_t first = static_cast<int64_t>(part) * rowsAtOnce;
    multiplyRows(a + first * depth, b, c + first * columns,
                 std::min(rowsAtOnce, rows - first), depth, columns);
  });
}

namespace {
/// An operand with its loops in another order, copied unless that is its
/// own.
struct Packed {
  const double *data;
  std::vector<double> copy;
};
} // namespace

static Packed pack(const double *data, const Access &access,
                   llvm::ArrayRef<const Kind *> kinds) {
  llvm::SmallVector<int64_t> shape;
  Access from{access.offset, {}};
  for (const Kind *kind : kinds)
    for (auto [size, loop] : llvm::zip_equal(kind->sizes, kind->loops)) {
      shape.push_back(size);
      from.strides.push_back(access.strides[loop]);
    }
  llvm::SmallVector<int64_t> inOrder = getRowMajorStrides(shape);
  if (from.strides == inOrder)
    return {data + from.offset, {}};
  std::vector<double> copy(std::accumulate(shape.begin(), shape.end(),
                                           int64_t(1), std::multiplies<>()));
  copyBox<double>(shape, data, from, copy.data(), {0, std::move(inOrder)});
  const double *start = copy.data();
  return {start, std::move(copy)};
}

void Contraction::run(const double *aData, const double *bData,
                      double *cData) const {
  Kind batch, rows, columns, depth;
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    bool inA = a.strides[loop] != 0, inB = b.strides[loop] != 0;
    bool inC = c.strides[loop] != 0;
    // A loop of one step depends on nothing; it is a row like any other.
    Kind &kind = sizes[loop] == 1 ? rows
                 : !inC           ? depth
                 : inA && inB     ? batch
                 : inA            ? rows
                                  : columns;
    kind.sizes.push_back(sizes[loop]);
    kind.loops.push_back(loop);
  }
  int64_t m = rows.count(), n = columns.count(), k = depth.count();
  Packed packedA = pack(aData, a, {&batch, &rows, &depth});
  Packed packedB = pack(bData, b, {&batch, &depth, &columns});
  Packed packedC = pack(cData, c, {&batch, &rows, &columns});
  bool inPlace = packedC.copy.empty();
  double *sums = inPlace ? cData + c.offset : packedC.copy.data();
  for (int64_t i = 0, e = batch.count(); i < e; ++i)
    multiply(packedA.data + i * m * k, packedB.data + i * k * n,
             sums + i * m * n, m, k, n);
  if (inPlace)
    return;

  llvm::SmallVector<int64_t> shape;
  Access to{c.offset, {}};
  for (const Kind *kind : {&batch, &rows, &columns})
    for (auto [size, loop] : llvm::zip_equal(kind->sizes, kind->loops)) {
      shape.push_back(size);
      to.strides.push_back(c.strides[loop]);
    }
  copyBox<double>(shape, sums, {0, getRowMajorStrides(shape)}, cData, to);
}
