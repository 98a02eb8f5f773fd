//===- SdpaMatcher.h - attention between heads ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SDPAMATCHER_H
#define PARABLOCK_LIB_RAISE_SDPAMATCHER_H

#include "Algebra.h"
#include "RelativeTable.h"
#include "ScoreChain.h"
#include "parablock/IR/BlockAttrs.h"

namespace parablock::raise {

/// The weighted sum of values, the product of queries and keys and everything
/// on the scores are written in the digits of one space: elements of the
/// result, keys, and elements of a query's head. What a digit is follows from
/// who carries it.
class SdpaMatcher {
public:
  SdpaMatcher(Graph &graph, Node *node) : graph(graph), node(node) {}
  Term match();

private:
  bool findOperands();
  bool alignAll();
  bool sortDigits();
  bool readScores();
  std::optional<ScoreTable> readTable(unsigned layout, const Node *source,
                                      int64_t offset, bool perHead);
  Term makeSdpa();
  Term miss(Reason reason, const llvm::Twine &detail) {
    graph.miss("attention", reason, detail);
    return {};
  }
  llvm::SmallVector<unsigned>
  join(std::initializer_list<llvm::ArrayRef<unsigned>> lists) {
    llvm::SmallVector<unsigned> all;
    for (llvm::ArrayRef<unsigned> list : lists)
      all.append(list.begin(), list.end());
    return all;
  }

  bool splitWeights(const Term &mixed);
  bool checkMix();

  /// A part of the weights that is no softmax, and its gain for each head.
  struct Mixed {
    llvm::StringRef role;
    llvm::SmallVector<Factor, 2> tables;
    Term gain;
  };

  Graph &graph;
  Node *node;
  double factor = 1;
  llvm::SmallVector<Mixed, 3> mix;
  llvm::SmallVector<unsigned> mixPieces;
  ScoreTable hidden;
  Term weights, value;
  ScoreChain chain;
  int64_t headSize = 0;
  /// Weights, value, query, key, result, and then every mask and bias.
  enum { W, V, Q, K, Out, Pieces };
  llvm::SmallVector<Layout> layouts;
  Aligned aligned;
  llvm::SmallVector<unsigned> batch, groups, repeats, queries, keys, elements,
      valueElements;
  block::ScoresAttr scores;
  std::optional<RelativeTable> relative;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SDPAMATCHER_H
