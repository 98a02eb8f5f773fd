//===- Registry.h - the table from op names to evaluators -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_REGISTRY_H
#define PARABLOCK_LIB_REFERENCE_REGISTRY_H

#include "Evaluation.h"
#include "llvm/ADT/StringMap.h"

namespace parablock::reference {

class Registry {
public:
  using Evaluator =
      std::function<mlir::FailureOr<Tensors>(mlir::Operation *, Frame &)>;

  /// Returns the table of every op with its own evaluator here; the evaluator
  /// of upstream ops has the others.
  static const Registry &get();

  /// Null for an op without a meaning.
  const Evaluator *lookup(llvm::StringRef opName) const {
    auto found = evaluators.find(opName);
    return found == evaluators.end() ? nullptr : &found->second;
  }

  /// Registers the evaluator of `OpT`, which returns its only result.
  template <typename OpT>
  void add(mlir::FailureOr<Tensor> (*evaluate)(OpT, Evaluation &)) {
    evaluators[OpT::getOperationName()] =
        [evaluate](mlir::Operation *op,
                   Frame &frame) -> mlir::FailureOr<Tensors> {
      Evaluation at(op, frame);
      mlir::FailureOr<Tensor> result = evaluate(mlir::cast<OpT>(op), at);
      if (mlir::failed(result))
        return mlir::failure();
      return Tensors{std::move(*result)};
    };
  }

  /// Registers an evaluator with any number of results.
  template <typename OpT>
  void add(mlir::FailureOr<Tensors> (*evaluate)(OpT, Evaluation &)) {
    evaluators[OpT::getOperationName()] = [evaluate](mlir::Operation *op,
                                                     Frame &frame) {
      Evaluation at(op, frame);
      return evaluate(mlir::cast<OpT>(op), at);
    };
  }

private:
  llvm::StringMap<Evaluator> evaluators;
};

// One function per family, each in its own file.
void addAttentionEvaluators(Registry &registry);
void addCacheEvaluators(Registry &registry);
void addCallEvaluators(Registry &registry);
void addCodeEvaluators(Registry &registry);
void addEmbeddingEvaluators(Registry &registry);
void addEmbeddingGradEvaluators(Registry &registry);
void addExpertEvaluators(Registry &registry);
void addExpertGradEvaluators(Registry &registry);
void addFusionEvaluators(Registry &registry);
void addGradientEvaluators(Registry &registry);
void addLayerEvaluators(Registry &registry);
void addDropoutEvaluators(Registry &registry);
void addLinearEvaluators(Registry &registry);
void addLossEvaluators(Registry &registry);
void addMlpEvaluators(Registry &registry);
void addNormEvaluators(Registry &registry);
void addPartialStatsEvaluators(Registry &registry);
void addRopeEvaluators(Registry &registry);
void addSampleEvaluators(Registry &registry);
void addSdpaEvaluators(Registry &registry);
void addSdpaGradEvaluators(Registry &registry);
void addShardEvaluators(Registry &registry);
void addWeightEvaluators(Registry &registry);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_REGISTRY_H
