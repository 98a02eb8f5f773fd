//===- GraphDump.h - printer of graphs --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_GRAPHDUMP_H
#define PARABLOCK_LIB_RAISE_GRAPHDUMP_H

#include "Graph.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock::raise {

/// Prints the graph of the function `name` after steps were grouped: a line for
/// each node that its results depend on, and for each remaining softmax,
/// activation, mean or root and rotation, the steps that matchers passed at it
/// and its readers, and their unmet preconditions.
void dumpGraph(llvm::raw_ostream &os, const Graph &graph, llvm::StringRef name,
               llvm::ArrayRef<Term> results, llvm::ArrayRef<Term> otherRoots);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_GRAPHDUMP_H
