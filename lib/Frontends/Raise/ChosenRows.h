//===- ChosenRows.h - rows of tables that data choose -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_CHOSENROWS_H
#define PARABLOCK_LIB_RAISE_CHOSENROWS_H

#include "Graph.h"
#include <optional>

namespace parablock::raise {

/// A table's rows that data choose: the choice and the column at each position.
struct ChosenRows {
  Term choice, columns;
};

/// Returns rows of weights that data choose, if `term` is those.
std::optional<ChosenRows> readChosenRows(Graph &graph, const Term &term);

/// Returns the rows of the table that `columns` are read from.
int64_t countRows(const Term &columns);

/// Returns the matrix of each expert, `columns` of all rows of the table, or no
/// term if there are more or fewer rows.
Term readTable(Graph &graph, const Term &columns, const Layout &matrix,
               int64_t experts);

/// A comparison of what data choose with the number of an expert.
struct ChosenNumber {
  Term choice;
  /// The number at each position; of one expert alone where it is single.
  Layout number;
  bool isSingle = false;
};

/// Returns the comparison that `term` is.
std::optional<ChosenNumber> readChosenNumber(Graph &graph, const Term &term);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_CHOSENROWS_H
