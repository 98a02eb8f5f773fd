//===- PagePool.h - keys and values in pages --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_PAGEPOOL_H
#define PARABLOCK_GENERATION_PAGEPOOL_H

#include "parablock/Engines/Generation/CacheMemory.h"

namespace parablock::generation {

/// The use that a pool is for.
struct PageUse {
  int64_t pageRows;
  /// The number of the first tokens of each row that are padding.
  llvm::ArrayRef<int64_t> starts;
  /// How many tokens back are seen, where no attention sees all.
  std::optional<int64_t> window;
  /// Largest number of pages; unlimited without a value.
  std::optional<int64_t> most;
};

/// A pool of pages for each cache, and one table for all of them. A row has the
/// pages of tokens that are still seen: those of padding, those behind a window
/// and those of a row that has ended go back. The system gives a page when it
/// is first touched, and the last ones that came back are the next to be taken.
class PagePool : public CacheMemory {
public:
  /// `expected` are the tokens that a row may come to hold.
  PagePool(llvm::ArrayRef<CachePort> ports, const PageUse &use,
           int64_t expected);

  int64_t countNext(int64_t held, int64_t tokens) const override {
    return tokens;
  }
  llvm::Error reserve(int64_t held, int64_t tokens) override;
  const ParablockTensor &operator[](size_t index) const override {
    return pools[index].getTensor();
  }
  const ParablockTensor *getTable() const override { return &tableTensor; }
  /// A row keeps one page: what it is fed with has to go somewhere.
  void end(size_t row) override;
  int64_t countOf(size_t row, int64_t held) const override {
    return rows[row].hasEnded ? 0 : held;
  }

  /// Pages that rows have.
  int64_t countHeld() const {
    return pages - static_cast<int64_t>(free.size());
  }

private:
  /// The entries of a row's part of the table that are pages of its own.
  struct Row {
    int64_t begin = 0, end = 0;
    bool hasEnded = false;
  };

  int64_t &getEntry(size_t row, int64_t entry) {
    return table[row * entries + entry];
  }
  /// Gives back what tokens behind the first `held` ones do not see.
  void giveBack(size_t row, int64_t held);
  void growTable(int64_t wanted);
  /// Makes room for so many pages more; `tokens` are those of each row then.
  llvm::Error growPools(int64_t wanted, int64_t tokens);

  PageUse use;
  int64_t expectedEntries;
  std::vector<CacheBuffer> pools;
  std::vector<Row> rows;
  /// [rows, entries] numbers of pages.
  std::vector<int64_t> table;
  int64_t entries = 0, pages = 0;
  std::array<int64_t, 2> tableShape{};
  ParablockTensor tableTensor{};
  /// Pages that no row has, the next one last.
  std::vector<int64_t> free;
};

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_PAGEPOOL_H
