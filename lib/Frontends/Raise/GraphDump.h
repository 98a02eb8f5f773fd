//===- GraphDump.h - the graph for a reader ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_GRAPHDUMP_H
#define PARABLOCK_LIB_RAISE_GRAPHDUMP_H

#include "Graph.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock::raise {

/// Prints what the function called `name` was read as, once steps are grouped:
/// a line for each node that its results depend on, and for each softmax,
/// activation, mean or root and rotation that is left, what the matchers found
/// that looked at it and at its readers, and what they then wanted.
void dumpGraph(llvm::raw_ostream &os, const Graph &graph, llvm::StringRef name,
               llvm::ArrayRef<Term> results, llvm::ArrayRef<Term> otherRoots);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_GRAPHDUMP_H
