//===- ReadRoute.h - routers in front of experts ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_READROUTE_H
#define PARABLOCK_LIB_RAISE_READROUTE_H

#include "Graph.h"
#include <optional>

namespace parablock::raise {

/// Returns the number that each position of a constant term has, if that is a
/// layout.
std::optional<Layout> getNumbering(const Term &term);

/// Makes one route of the steps that give `choice` and `shares`, if they are
/// those of #block.routing; else leaves both.
void foldRoute(Graph &graph, Term &choice, Term &shares);

/// Records where results depend on matrices that a choice reads, or on its
/// comparison with numbers of experts, and no piece has these.
void missExperts(Graph &graph, llvm::ArrayRef<Term> results,
                 llvm::ArrayRef<Term> otherRoots);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_READROUTE_H
