//===- HealPrograms.h - functions that healing runs -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_HEALPROGRAMS_H
#define PARABLOCK_LIB_DRIFT_HEALPROGRAMS_H

#include "Outline.h"
#include "parablock/Analysis/Choice.h"

namespace parablock::drift {

/// Sizes of the inputs of one call.
struct HealSizes {
  int64_t rows = 0, tokens = 0;
};

/// The serial model (teacher) and the converted one (student) as compiled
/// functions of `sizes`, in float32 whatever the model's type.
///
/// The teacher's arguments are those of the model's function, and its result is
/// the logits. The student has the same arguments, then one for each bias that
/// the choice adds, then the teacher's logits and the weight of each token,
/// `[rows, tokens, 1]`. Its loss is the sum over tokens of weight times
/// KL(teacher || student).
class HealPrograms {
public:
  /// `function` has dynamic rows, or those of `sizes`, and logits.
  static llvm::Expected<HealPrograms> create(mlir::func::FuncOp function,
                                             const Choice &choice,
                                             HealSizes sizes,
                                             const DriftEngine &engine);

  /// Student arguments that are trained: parameters of floats that converted
  /// layers alone read.
  llvm::ArrayRef<unsigned> getTrained() const { return trained; }
  HealSizes getSizes() const { return sizes; }
  int64_t getVocabulary() const { return vocabulary; }

  llvm::Expected<Tensor> runTeacher(llvm::ArrayRef<Tensor> arguments) const;
  llvm::Expected<double> runLoss(llvm::ArrayRef<Tensor> arguments) const;
  /// Returns the loss and then the gradient of each trained argument.
  llvm::Expected<Tensors> runStep(llvm::ArrayRef<Tensor> arguments) const {
    return step(arguments);
  }

private:
  llvm::Error build(mlir::func::FuncOp function, const Choice &choice);
  llvm::Error addStep();

  HealSizes sizes;
  int64_t vocabulary = 0;
  std::vector<unsigned> trained;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ReadyFunction teacher, loss, step;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_HEALPROGRAMS_H
