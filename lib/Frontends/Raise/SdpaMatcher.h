//===- SdpaMatcher.h - attention between heads ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SDPAMATCHER_H
#define PARABLOCK_LIB_RAISE_SDPAMATCHER_H

#include "Algebra.h"
#include "Recognise.h"
#include "RelativeTable.h"
#include "ScoreChain.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace parablock::raise {

/// The weighted sum of values, the product of queries and keys and all
/// operations on the scores are written in the digits of one space: elements of
/// the result, keys, and elements of a query's head. The meaning of a digit
/// follows from the operands that depend on it.
class SdpaMatcher {
public:
  SdpaMatcher(Graph &graph, const Node *node) : graph(graph), node(node) {}
  Term match();

private:
  bool findOperands();
  void separateSink();
  bool isOfHeads(unsigned piece) const;
  bool isPerHead(unsigned piece) const;
  bool countsHeads(unsigned digit) const;
  llvm::SmallVector<unsigned> listVarying(unsigned piece) const;
  bool isWeighted() const;
  Term missScores(const Term &end);
  bool alignAll();
  bool sortDigits();
  bool cutBatch(llvm::ArrayRef<unsigned> shared);
  llvm::SmallVector<unsigned> findMasked(llvm::ArrayRef<unsigned> digits,
                                         unsigned count) const;
  /// True where the keys are the rows of the softmax.
  bool sumsOverSoftmax() const;
  bool readScores();
  std::optional<ScoreTable> readTable(unsigned layout, const Node *source,
                                      int64_t offset, bool perHead);
  Term skipDropout(const Term &term);
  bool dropsInOrder();
  Term makeSdpa();
  NoMatch miss(Reason reason, const llvm::Twine &detail, const Term &got = {}) {
    return graph.miss("attention", reason, detail, got);
  }
  llvm::SmallVector<unsigned>
  join(std::initializer_list<llvm::ArrayRef<unsigned>> lists) {
    llvm::SmallVector<unsigned> all;
    for (llvm::ArrayRef<unsigned> list : lists)
      all.append(list.begin(), list.end());
    return all;
  }

  int64_t getNumHeads() const {
    return aligned.getSize(groups) * aligned.getSize(repeats);
  }

  bool splitWeights(const Term &mixed);
  bool checkMix();

  // SdpaScores.cpp
  std::optional<ScoreForm> readForm();
  bool readPieces();
  void forgetPieces();
  bool readMask(const ScoreMask &mask, unsigned at);
  bool readBias(const ScoreBias &added, unsigned at);
  bool isReplacedByData(unsigned step);
  bool mayHideRows(const ScoreBias &added, unsigned at);
  bool readRelative(const ScoreBias &added, unsigned at);
  bool isPerKey(unsigned layout) const {
    return llvm::any_of(
        keys, [&](unsigned d) { return aligned.strides[layout][d] != 0; });
  }

  // SdpaInputs.cpp
  bool separatePadding();
  bool isOfOneStream() const;
  void nameMasks();
  Term readCondition(const ScoreMask &mask, unsigned at, unsigned k);
  Term matchLengths(const ScoreMask &mask, unsigned at);
  Term matchOwnSequence(const ScoreMask &mask, unsigned at);
  Term matchBeyond(const ScoreMask &mask, unsigned at);
  bool buildScoreBias();
  Term readPiece(const Term &term, unsigned at,
                 llvm::ArrayRef<unsigned> digits);
  std::optional<double> getFill(const ScoreMask &mask);
  bool isOfRows(unsigned layout, const Node *update);
  void nameCache();
  void findJoined();
  void forgetJoined() {
    hidden.past = 0;
    pastKey = pastValue = Term();
  }

  /// A part of the weights other than softmax, and its gain for each head.
  struct Mixed {
    llvm::StringRef role;
    llvm::SmallVector<Factor, 2> tables;
    Term gain;
  };

  Graph &graph;
  const Node *node;
  double factor = 1;
  llvm::SmallVector<Mixed, 3> mix;
  llvm::SmallVector<unsigned> mixPieces;
  ScoreTable hidden, bias;
  bool biasInsideCap = true, biasOutsideCap = true;
  Term weights, value;
  /// The weights as dropout leaves them; null where nothing is dropped.
  Term dropped;
  /// The logit of the softmax that has no value, where the weights read it;
  /// null for none.
  Term sink;
  unsigned sinkPiece = 0;
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
  /// Operands that replace masks, and those masks.
  Term lengths, bounds, pastLengths;
  llvm::SmallPtrSet<const ScoreMask *, 4> named;
  llvm::SmallPtrSet<const ScoreBias *, 4> namedBiases;
  /// Keys and values that new ones are joined to, and those; or null terms.
  Term pastKey, pastValue, newKey, newValue;

  /// A mask or a bias that becomes a part of the score bias.
  struct RuntimePiece {
    unsigned step, layout;
    const ScoreMask *mask;
    const ScoreBias *bias;
  };
  llvm::SmallVector<RuntimePiece> runtime;
  bool hasRuntime = false;
  /// States of digits: separated, or cut and to be visited again.
  enum class Sorted { No, Cut, Yes };
  /// The masks and biases that become that tensor: those from inputs, all
  /// biases, or all masks and biases.
  enum class Tensors { OfInputs, Biases, All } tensors = Tensors::OfInputs;

  /// Scores that a mask replaces by a number which alone does not hide them.
  struct OpenMask {
    unsigned step;
    double fill;
    std::vector<char> isMasked;
  };
  std::vector<OpenMask> openMasks;
  Term scoreBias;
  /// Batch, heads, queries and keys, or 1 for irrelevant dimensions.
  llvm::SmallVector<int64_t> scoreBiasShape;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SDPAMATCHER_H
