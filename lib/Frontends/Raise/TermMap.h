//===- TermMap.h - caches of graph walks ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The number of paths to a node in a graph doubles with each squaring. A
// walk over operands caches its result for each term and visits each term
// once.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_TERMMAP_H
#define PARABLOCK_LIB_RAISE_TERMMAP_H

#include "Graph.h"

namespace parablock::raise {

template <typename T> class TermMap {
public:
  /// Returns the cached result for `term`, or null.
  const T *find(const Term &term) const {
    auto known = entries.find(term.node);
    if (known == entries.end())
      return nullptr;
    for (const auto &[layout, value] : known->second)
      if (layout == term.layout)
        return &value;
    return nullptr;
  }

  /// Stores `value` for `term`, unless there is one already; returns true if it
  /// is new.
  bool insert(const Term &term, T value) {
    if (find(term))
      return false;
    entries[term.node].emplace_back(term.layout, std::move(value));
    return true;
  }

private:
  llvm::DenseMap<const Node *, llvm::SmallVector<std::pair<Layout, T>, 1>>
      entries;
};

/// The terms that a walk has come to.
class TermSet {
public:
  /// Returns true if `term` is new.
  bool insert(const Term &term) { return terms.insert(term, true); }

private:
  TermMap<bool> terms;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_TERMMAP_H
