//===- PagePool.cpp - allocates and frees pages of rows -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/PagePool.h"

#include <algorithm>
#include <utility>

using namespace parablock;
using namespace parablock::generation;

static int64_t countPages(int64_t tokens, int64_t pageRows) {
  return tokens / pageRows + (tokens % pageRows != 0);
}

PagePool::PagePool(Machine &machine, const std::vector<CachePort> &ports,
                   const PageUse &use, int64_t expected)
    : machine(machine), use(use),
      expectedEntries(countPages(
          boundExpected(ports, static_cast<int64_t>(use.starts.size()),
                        expected),
          use.pageRows)),
      pools(makeBuffers(machine, ports)), rows(use.starts.size()),
      numActive(rows.size()) {
  tableTensor = {nullptr, "i64", tableShape.size(), tableShape.data()};
}

void PagePool::release(int64_t page) {
  if (--users[page] == 0)
    free.push_back(page);
}

void PagePool::giveBack(size_t number, int64_t held, int64_t lag) {
  int64_t first = use.starts[number];
  if (use.window)
    first = std::max(first, std::min(held - *use.window + 1, held - lag));
  // Padding may extend beyond the held tokens.
  int64_t needed = std::min(first, held) / use.pageRows;
  Row &row = rows[number];
  for (; row.begin < std::min(needed, row.end); ++row.begin)
    release(getEntry(number, row.begin));
}

void PagePool::end(size_t number) {
  Row &row = rows[number];
  // Padding is written to the page that is kept, and only the last one is not
  // shared.
  int64_t kept = getEntry(number, --row.end);
  while (row.end > row.begin)
    release(getEntry(number, --row.end));
  getEntry(number, 0) = kept;
  row = {0, 1, /*hasEnded=*/true};
}

void PagePool::beginWith(size_t groups, int64_t tokens) {
  use.starts.assign(rows.size(), 0);
  sharedEntries = tokens / use.pageRows;
  numGroups = numActive = groups;
  tableShape[0] = static_cast<int64_t>(groups);
}

void PagePool::share(const std::vector<size_t> &groups) {
  std::vector<Row> owners(rows.begin(), rows.begin() + numActive);
  std::vector<int64_t> owned(table.begin(),
                             table.begin() + numActive * entries);
  auto forPages = [&](size_t group, auto &&apply) {
    for (int64_t entry = owners[group].begin; entry < owners[group].end;
         ++entry)
      apply(entry, owned[group * entries + entry]);
  };
  for (size_t number = 0; number < rows.size(); ++number) {
    rows[number] = owners[groups[number]];
    forPages(groups[number], [&](int64_t entry, int64_t page) {
      getEntry(number, entry) = page;
      ++users[page];
    });
  }
  // The group itself has them no longer.
  for (size_t group = 0; group < owners.size(); ++group)
    forPages(group, [&](int64_t, int64_t page) { --users[page]; });
  numActive = rows.size();
  tableShape[0] = static_cast<int64_t>(numActive);
}

void PagePool::setBehind(const std::vector<int64_t> &behind, int64_t held) {
  for (size_t number = 0; number < rows.size(); ++number) {
    Row &row = rows[number];
    row.behind = behind[number];
    int64_t needed = countPages(held - row.behind, use.pageRows);
    while (row.end > needed)
      release(getEntry(number, --row.end));
  }
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
  tableShape = {static_cast<int64_t>(numActive), entries};
  tableTensor.data = table.data();
}

int64_t PagePool::countExpected() const {
  int64_t own = std::max<int64_t>(expectedEntries - sharedEntries, 0);
  return static_cast<int64_t>(numGroups) * sharedEntries +
         static_cast<int64_t>(rows.size()) * own;
}

Status PagePool::growPools(int64_t wanted, int64_t tokens) {
  int64_t needed = countHeld() + wanted;
  if (needed <= pages)
    return {};
  if (use.most && needed > *use.most) {
    int64_t going = std::count_if(rows.begin(), rows.end(),
                                  [](const Row &row) { return !row.hasEnded; });
    return fail("pool_pages: expected room for " + std::to_string(wanted) +
                " more pages of " + std::to_string(use.pageRows) +
                " tokens, for " + std::to_string(going) + " rows of " +
                std::to_string(tokens) + " tokens, got " +
                std::to_string(*use.most) + " pages, " +
                std::to_string(countHeld()) + " of which are held");
  }
  int64_t made =
      use.most.value_or(std::max({needed, 2 * pages, countExpected()}));
  std::string what = std::to_string(made) + " pages of " +
                     std::to_string(use.pageRows) + " tokens";
  uint64_t together = 0;
  for (const CacheBuffer &pool : pools)
    together += pool.countBytes(made, use.pageRows);
  for (CacheBuffer &pool : pools) {
    MachineMemory before;
    if (Status failure =
            pool.replace(made, use.pageRows, what, together, before))
      return failure;
    uint64_t bytes = pages * use.pageRows * pool.getRowBytes();
    if (pages > 0)
      if (Status failure = machine.copy({pool.getData(), bytes},
                                        {before.get(), bytes}, bytes, 1))
        return failure;
  }
  // Pages that have been touched are taken first.
  std::vector<int64_t> all;
  all.reserve(made);
  for (int64_t page = made; page-- > pages;)
    all.push_back(page);
  all.insert(all.end(), free.begin(), free.end());
  free = std::move(all);
  pages = made;
  users.resize(pages);
  return {};
}

Status PagePool::reserve(int64_t held, int64_t tokens, int64_t lag) {
  int64_t last = countPages(tokens, use.pageRows), wanted = 0;
  auto countRowPages = [&](const Row &row) {
    return countPages(tokens - row.behind, use.pageRows);
  };
  for (size_t number = 0; number < numActive; ++number) {
    const Row &row = rows[number];
    if (row.hasEnded)
      continue;
    giveBack(number, held - row.behind, lag);
    wanted += std::max<int64_t>(countRowPages(row) - row.end, 0);
  }
  growTable(last);
  if (Status failure = growPools(wanted, tokens))
    return failure;
  for (size_t number = 0; number < numActive; ++number)
    for (Row &row = rows[number]; !row.hasEnded && row.end < countRowPages(row);
         ++row.end) {
      int64_t page = free.back();
      free.pop_back();
      getEntry(number, row.end) = page;
      users[page] = 1;
    }
  return {};
}
