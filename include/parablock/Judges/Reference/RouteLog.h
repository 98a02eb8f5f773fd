//===- RouteLog.h - choices of experts of a run -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_REFERENCE_ROUTELOG_H
#define PARABLOCK_REFERENCE_ROUTELOG_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace parablock::reference {

/// Experts of a row, in slot order.
using Choice = std::vector<int64_t>;

/// A choice that a row would make if near scores were in another order, and the
/// largest difference of those that change places.
struct OtherChoice {
  double gap = 0;
  Choice experts;
};

/// A row that a router reads: the scores that experts are chosen by, those that
/// are chosen, and other choices.
struct RoutedRow {
  std::vector<double> scores;
  Choice experts;
  std::vector<OtherChoice> others;
};

/// The rows of all routers of a run, in order of execution.
struct RouteLog {
  std::vector<RoutedRow> rows;
  /// Choices of rows, by their number, that replace those of the run.
  std::map<size_t, Choice> forced;
};

} // namespace parablock::reference

#endif // PARABLOCK_REFERENCE_ROUTELOG_H
