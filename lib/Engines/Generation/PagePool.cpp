//===- PagePool.cpp - allocates and frees pages of rows -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/PagePool.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using namespace parablock;
using namespace parablock::generation;
using llvm::Error;
using llvm::Twine;

static int64_t countPages(int64_t tokens, int64_t pageRows) {
  return tokens / pageRows + (tokens % pageRows != 0);
}

PagePool::PagePool(llvm::ArrayRef<CachePort> ports, const PageUse &use,
                   int64_t expected)
    : use(use),
      expectedEntries(countPages(
          boundExpected(ports, static_cast<int64_t>(use.starts.size()),
                        expected),
          use.pageRows)),
      pools(ports.begin(), ports.end()), rows(use.starts.size()) {
  tableTensor = {nullptr, "i64", tableShape.size(), tableShape.data()};
}

void PagePool::giveBack(size_t number, int64_t held) {
  int64_t first = use.starts[number];
  if (use.window)
    first = std::max(first, held - *use.window + 1);
  // Padding may extend beyond the held tokens.
  int64_t needed = std::min(first, held) / use.pageRows;
  Row &row = rows[number];
  for (; row.begin < std::min(needed, row.end); ++row.begin)
    free.push_back(getEntry(number, row.begin));
}

void PagePool::end(size_t number) {
  Row &row = rows[number];
  while (row.end - row.begin > 1)
    free.push_back(getEntry(number, --row.end));
  getEntry(number, 0) = getEntry(number, row.begin);
  row = {0, 1, /*hasEnded=*/true};
}

void PagePool::growTable(int64_t wanted) {
  if (wanted <= entries)
    return;
  int64_t old =
      std::exchange(entries, std::max({wanted, expectedEntries, 2 * entries}));
  std::vector<int64_t> before =
      std::exchange(table, std::vector<int64_t>(rows.size() * entries));
  for (size_t row = 0; row < rows.size(); ++row)
    std::copy_n(before.begin() + row * old, old, table.begin() + row * entries);
  tableShape = {static_cast<int64_t>(rows.size()), entries};
  tableTensor.data = table.data();
}

Error PagePool::growPools(int64_t wanted, int64_t tokens) {
  int64_t needed = countHeld() + wanted;
  if (needed <= pages)
    return Error::success();
  if (use.most && needed > *use.most) {
    int64_t going =
        llvm::count_if(rows, [](const Row &row) { return !row.hasEnded; });
    return llvm::createStringError(
        "pool_pages: expected room for " + Twine(wanted) + " more pages of " +
        Twine(use.pageRows) + " tokens, for " + Twine(going) + " rows of " +
        Twine(tokens) + " tokens, got " + Twine(*use.most) + " pages, " +
        Twine(countHeld()) + " of which are held");
  }
  int64_t made = use.most.value_or(
      std::max({needed, 2 * pages,
                static_cast<int64_t>(rows.size()) * expectedEntries}));
  for (CacheBuffer &pool : pools) {
    std::optional<CacheBuffer::Memory> before =
        pool.replace(made, use.pageRows);
    if (!before)
      return llvm::createStringError("no memory for " + Twine(made) +
                                     " pages of " + Twine(use.pageRows) +
                                     " tokens");
    if (pages > 0)
      std::memcpy(pool.getData(), before->get(),
                  pages * use.pageRows * pool.getRowBytes());
  }
  // Pages that have been touched are taken first.
  std::vector<int64_t> all;
  all.reserve(made);
  for (int64_t page = made; page-- > pages;)
    all.push_back(page);
  llvm::append_range(all, free);
  free = std::move(all);
  pages = made;
  return Error::success();
}

Error PagePool::reserve(int64_t held, int64_t tokens) {
  int64_t last = countPages(tokens, use.pageRows), wanted = 0;
  for (auto [number, row] : llvm::enumerate(rows)) {
    if (row.hasEnded)
      continue;
    giveBack(number, held);
    wanted += std::max<int64_t>(last - row.end, 0);
  }
  growTable(last);
  if (Error error = growPools(wanted, tokens))
    return error;
  for (auto [number, row] : llvm::enumerate(rows))
    for (; !row.hasEnded && row.end < last; ++row.end) {
      getEntry(number, row.end) = free.back();
      free.pop_back();
    }
  return Error::success();
}
