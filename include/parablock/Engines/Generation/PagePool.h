//===- PagePool.h - paged caches --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_PAGEPOOL_H
#define PARABLOCK_GENERATION_PAGEPOOL_H

#include "parablock/Engines/Generation/CacheMemory.h"

namespace parablock::generation {

/// Parameters of a pool.
struct PageUse {
  int64_t pageRows;
  /// The number of padding tokens in front of each row.
  std::vector<int64_t> starts;
  /// Number of preceding tokens that attention reads, if all attentions have a
  /// window.
  std::optional<int64_t> window;
  /// Largest number of pages; unlimited without a value.
  std::optional<int64_t> most;
};

/// A pool of pages for each cache, and one table for all of them. A row holds
/// the pages of tokens that are still read; pages of padding, of tokens behind
/// a window and of ended rows are returned to the pool. The system allocates a
/// page at its first use, and the most recently returned page is reused first.
/// Rows may have pages of a common beginning together.
class PagePool : public CacheMemory {
public:
  /// `expected` is the number of tokens that a row may reach.
  PagePool(Machine &machine, const std::vector<CachePort> &ports,
           const PageUse &use, int64_t expected);

  int64_t countNext(int64_t /*held*/, int64_t tokens) const override {
    return tokens;
  }
  Status reserve(int64_t held, int64_t tokens, int64_t lag = 0) override;
  const ParablockTensor &operator[](size_t index) const override {
    return pools[index].getTensor();
  }
  const ParablockTensor *getTable() const override { return &tableTensor; }
  /// An ended row keeps one page, since it is still fed with padding.
  void end(size_t row) override;
  int64_t countOf(size_t row, int64_t held) const override {
    return rows[row].hasEnded ? 0 : held - rows[row].behind;
  }

  /// Processes one row of each group, without padding, until `share`; the rows
  /// of a group will share pages of that many tokens.
  void beginWith(size_t groups, int64_t tokens);
  /// Gives each row the pages of its group.
  void share(const std::vector<size_t> &groups);
  /// Sets how many tokens each row holds less than the `held` ones of the
  /// longest, and returns pages that only longer rows need.
  void setBehind(const std::vector<int64_t> &behind, int64_t held);

  /// Pages that rows have.
  int64_t countHeld() const {
    return pages - static_cast<int64_t>(free.size());
  }

private:
  /// The range of a row's own pages in its part of the table.
  struct Row {
    int64_t begin = 0, end = 0;
    bool hasEnded = false;
    /// Number of tokens that it has less than the longest row.
    int64_t behind = 0;
  };

  int64_t &getEntry(size_t row, int64_t entry) {
    return table[row * entries + entry];
  }
  /// Returns a page of one row, which others may still have.
  void release(int64_t page);
  /// Returns the pages that tokens after the first `held` ones do not read.
  void giveBack(size_t row, int64_t held, int64_t lag);
  void growTable(int64_t wanted);
  /// Returns the pages of all rows at their expected number of tokens.
  int64_t countExpected() const;
  /// Grows the pools by `wanted` pages; each row then has `tokens` tokens.
  Status growPools(int64_t wanted, int64_t tokens);

  Machine &machine;
  PageUse use;
  int64_t expectedEntries;
  std::vector<CacheBuffer> pools;
  std::vector<Row> rows;
  /// Page numbers, [rows, entries].
  std::vector<int64_t> table;
  int64_t entries = 0, pages = 0;
  /// Rows that calls process at present, from the first on.
  size_t numActive;
  /// Number of groups of rows that share pages, and of the entries of each.
  size_t numGroups = 0;
  int64_t sharedEntries = 0;
  /// Number of rows that have a page, by its number.
  std::vector<int64_t> users;
  std::array<int64_t, 2> tableShape{};
  ParablockTensor tableTensor{};
  /// Free pages, the next one last.
  std::vector<int64_t> free;
};

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_PAGEPOOL_H
