//===- SdpaMatcher.h - attention between heads ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SDPAMATCHER_H
#define PARABLOCK_LIB_RAISE_SDPAMATCHER_H

#include "Recognise.h"
#include "RelativeTable.h"
#include "SdpaSpace.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace parablock::raise {

/// Matches attention in three stages: the weighted sum of values, the space of
/// heads, queries and keys, and masks and biases of the scores.
class SdpaMatcher {
public:
  SdpaMatcher(Graph &graph, const Node *node) : graph(graph), node(node) {}
  Term match();

private:
  bool isWeighted() const;
  Term missScores(const Term &end);
  /// True where the keys are the rows of the softmax.
  bool sumsOverSoftmax() const;
  bool readScores();
  std::optional<ScoreTable> readTable(unsigned layout, const Node *source,
                                      int64_t offset, bool perHead);
  bool dropsInOrder();
  Term makeSdpa();
  void addInputs(Node &sdpa);
  void addGains(Node &sdpa);
  void noteWeights(const Node *made, llvm::ArrayRef<unsigned> order);
  NoMatch miss(Reason reason, const llvm::Twine &detail, const Term &got = {}) {
    return graph.miss("attention", reason, detail, got);
  }

  bool checkMix();
  bool findSpace() { return space.find(graph, node, sum, chain); }

  // SdpaScores.cpp
  std::optional<ScoreForm> readForm();
  bool readPieces();
  void forgetPieces();
  bool readMask(const ScoreMask &mask, unsigned at);
  bool readBias(const ScoreBias &added, unsigned at);
  bool isReplacedByData(unsigned step);
  bool mayHideRows(const ScoreBias &added, unsigned at);
  bool readRelative(const ScoreBias &added, unsigned at);

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

  Graph &graph;
  const Node *node;
  WeightedSum sum;
  ScoreChain chain;
  SdpaSpace space;
  ScoreTable hidden, bias;
  bool biasInsideCap = true, biasOutsideCap = true;
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
