//===- NumberRange.h - ranges of elements -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_NUMBERRANGE_H
#define PARABLOCK_LIB_RAISE_NUMBERRANGE_H

#include "Graph.h"
#include <limits>

namespace parablock::raise {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The least and the largest number.
using Range = std::pair<double, double>;

/// Returns the range of the elements of `term`, if it follows from constants
/// and types.
std::optional<Range> getRange(Graph &graph, const Term &term);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_NUMBERRANGE_H
