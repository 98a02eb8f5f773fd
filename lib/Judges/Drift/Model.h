//===- Model.h - models as chains of links ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_MODEL_H
#define PARABLOCK_LIB_DRIFT_MODEL_H

#include "PairRunner.h"
#include "Stream.h"

namespace parablock::drift {

/// The weights of one link.
struct LinkWeights {
  SublayerWeights sublayer;
  Tensors whole;
};

/// How a model is run.
struct ModelSetup {
  ParallelForm form;
  uint64_t memoryForStreams = 0;
  /// Prepares parts for an engine; with `steps`, also the steps of sublayers.
  Preparation &preparation;
  bool steps = false;
};

/// Everything that stays the same while drift is measured.
class Model {
public:
  /// Creates the model of `function`, which has dynamic rows; it and the other
  /// arguments must outlive it.
  static llvm::Expected<std::unique_ptr<Model>>
  create(mlir::func::FuncOp function, const ParameterSource &source,
         const Dataset &data, const ModelSetup &setup);
  /// Returns the same model on other data.
  llvm::Expected<std::unique_ptr<Model>> withData(const Dataset &data) const {
    return create(getFunction(), parameters, data, setup);
  }

  mlir::func::FuncOp getFunction() const { return chain.function; }
  size_t size() const { return chain.links.size(); }
  const Link &getLink(size_t index) const { return chain.links[index]; }
  llvm::ArrayRef<Candidate> candidates() const { return candidateList; }
  /// Returns whether pairs are rungs of a ladder.
  bool isLadder() const { return setup.form.ladder; }
  const Dataset &data() const { return dataset; }
  const ParameterSource &source() const { return parameters; }
  Stream makeStream() const { return Stream(dataset.chunks().size(), *spill); }
  Outliner &outliner() const { return *functions; }
  const SublayerRunner &getRunner(size_t link) const { return *runners[link]; }
  const PairRunner &getPair(const Candidate &candidate) const;

  llvm::Expected<LinkWeights> load(size_t link) const;
  llvm::Expected<PairWeights> load(const Candidate &candidate) const;

  /// Returns the type in which a file of these weights stores the parameter of
  /// `value`.
  ElementType getStoredType(mlir::Value value) const;

  /// Computes the input of the first link.
  llvm::Error runStart(llvm::ArrayRef<Split> splits, Stream &to) const;
  /// `stream` behind one link.
  llvm::Error runLink(size_t link, const LinkWeights &weights,
                      llvm::ArrayRef<Split> splits, const Stream &from,
                      Stream &to) const;

  /// Returns whether the model has logits.
  bool hasLogits() const { return end.has_value(); }
  /// The parameters that logits need.
  llvm::Expected<Tensors> loadEnd() const;
  /// Returns logits of rows `[count, width]` of the last stream of one chunk,
  /// `exactly` or as prepared.
  llvm::Expected<Tensor> runEnd(const Tensor &stream, const Tensors &weights,
                                const Chunk &chunk, bool exactly = false) const;
  /// The number of logits of a token.
  int64_t getVocabulary() const { return vocabulary; }
  /// Returns whether tokens attend only to earlier ones.
  bool isCausal() const { return causal; }
  /// Returns whether runEnd accepts any rows of a chunk, as one sequence.
  bool hasRowWiseEnd() const { return rowWiseEnd; }

private:
  Model(const ParameterSource &parameters, const Dataset &dataset,
        const ModelSetup &setup)
      : parameters(parameters), dataset(dataset), setup(setup) {}
  void findEnd();
  llvm::Error prepare();
  llvm::Expected<Tensors> bindRows(const Outline &outline, Tensors given,
                                   const Tensors &weights, const Chunk &chunk,
                                   bool exactly = false) const;
  llvm::Error checkNorms() const;
  llvm::Expected<Tensors> loadWeightsOf(const Outline &outline,
                                        size_t given) const;

  const ParameterSource &parameters;
  const Dataset &dataset;
  ModelSetup setup;
  std::unique_ptr<SpillFile> spill;
  Chain chain;
  std::vector<Candidate> candidateList;
  std::unique_ptr<Outliner> functions;
  /// Runners by link; null for links that are run whole, which have an outline.
  std::vector<std::unique_ptr<SublayerRunner>> runners;
  std::vector<std::optional<Outline>> wholes;
  /// Runners by position.
  std::vector<std::unique_ptr<PairRunner>> pairs;
  Outline start;
  std::optional<Outline> end;
  bool rowWiseEnd = false, causal = true;
  int64_t vocabulary = 0;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_MODEL_H
