//===- ReadRoute.h - routers in front of experts ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_READROUTE_H
#define PARABLOCK_LIB_RAISE_READROUTE_H

#include "Graph.h"

namespace parablock::raise {

/// Returns how many experts the numbers in `choice` are below; 0 if unknown.
int64_t countExperts(const Term &choice);

/// Makes one route of the steps that give `choice` and `shares`, if they are
/// those of #block.routing; else leaves both.
void foldRoute(Graph &graph, Term &choice, Term &shares);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_READROUTE_H
