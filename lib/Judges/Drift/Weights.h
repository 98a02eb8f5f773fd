//===- Weights.h - parameters and operands ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A projection's weight is often not a parameter but a slice or the transpose
// of one. Corrections work on the op's operand; a WeightSite maps it to
// elements of the parameter.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_WEIGHTS_H
#define PARABLOCK_LIB_DRIFT_WEIGHTS_H

#include "Chain.h"
#include "Outline.h"
#include "parablock/Execution/TensorFile.h"

namespace parablock::drift {

/// The parameters of a model, loaded or drawn one at a time.
class ParameterSource {
public:
  /// Without a file (null), `seed` draws them.
  static llvm::Expected<ParameterSource>
  create(mlir::func::FuncOp function, runner::TensorFile *file, uint64_t seed);

  /// Returns a source of the same parameters with new values of some.
  ParameterSource withChanges(std::map<unsigned, Tensor> values) const {
    ParameterSource other = *this;
    other.changes = std::move(values);
    return other;
  }

  llvm::Expected<Tensor> load(unsigned argument) const;
  /// The type that a file of these weights stores it in.
  ElementType getStoredType(unsigned argument) const;
  const runner::Argument &getArgument(unsigned argument) const {
    return signature.arguments[argument];
  }
  size_t size() const { return signature.arguments.size(); }
  const runner::TensorFile *getFile() const { return file; }

private:
  runner::Signature signature;
  runner::TensorFile *file = nullptr;
  uint64_t seed = 0;
  std::map<unsigned, Tensor> changes;
};

/// The part of a parameter that is an operand: element i is element
/// `indices[i]`.
struct WeightSite {
  unsigned argument = 0;
  std::vector<int64_t> indices;
};

/// An error where `value` is not a rearrangement of one parameter.
llvm::Expected<WeightSite> locateWeight(Outliner &outliner, mlir::Value value);

/// Returns whether ops other than `reader` read parameters of `weight`.
bool isShared(mlir::Value weight, mlir::Operation *reader);

/// Weight `[out, in]` and bias of a projection; the bias is zero if the model
/// has none, and both are empty without a projection.
struct LinearWeights {
  Tensor weight, bias;
  /// True if other layers read the matrix, so that corrections change it by a
  /// product alone, of `left` [rank, out], transposed, and `right` [rank, in].
  bool isShared = false;
  Tensor left, right;

  explicit operator bool() const { return static_cast<bool>(weight.values); }
  int64_t getOutputs() const { return weight.shape[0]; }
  int64_t getInputs() const { return weight.shape[1]; }
};

/// The weights of a sublayer, as its ops read them.
struct SublayerWeights {
  /// Weights of the ops of head, tail and post-norm in order, and of
  /// Sublayer::others (inputs of the model have no values).
  Tensors head, tail, postNorm, others;
  std::vector<LinearWeights> inputs;
  LinearWeights output;
};

/// Returns the projection of a weight among the others of a mixture, and its
/// bias, which may be null.
LinearWeights getMixtureLinear(const Sublayer &sublayer,
                               const SublayerWeights &weights,
                               mlir::Value weight, mlir::Value bias);
void setMixtureLinear(const Sublayer &sublayer, SublayerWeights &weights,
                      mlir::Value weight, mlir::Value bias,
                      const LinearWeights &linear);

/// Returns `matrix + left^T right`, rounded to the type of `matrix`.
Tensor addProduct(const Tensor &matrix, const Tensor &left,
                  const Tensor &right);

/// Loads the weights of a sublayer.
class WeightLoader {
public:
  WeightLoader(const Sublayer &sublayer, Outliner &outliner);
  llvm::Expected<SublayerWeights> load(const ParameterSource &source) const;

private:
  const Sublayer &sublayer;
  std::vector<mlir::Value> values;
  Outline outline;
};

/// Returns values for the arguments of an outline after the first `given`,
/// which must be parameters.
llvm::Expected<Tensors> loadParameters(const Outline &outline, size_t given,
                                       const ParameterSource &source);

/// Operands of an op of head, tail or post-norm that are weights.
llvm::SmallVector<mlir::Value> getWeightOperands(mlir::Operation *op);

ElementType getElementTypeOf(mlir::Value value);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_WEIGHTS_H
