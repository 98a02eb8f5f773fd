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

/// The direction along which a trained weight's codes share scales: rows or
/// columns of its last two dimensions. Weights of no product have no codes.
enum class CodeAxis { None, Rows, Columns };

/// The serial model (teacher) and the converted one (student) as compiled
/// functions of `sizes`, in float32 whatever the model's type.
///
/// The teacher's arguments are those of the model's function, and its results
/// are the logits and the streams behind converted layers; without logits, the
/// last stream is in their place. The student has the
/// same arguments, then one for each bias that the choice adds, then the
/// teacher's logits, the weight of each token, `[rows, tokens, 1]`, and the
/// teacher's streams. Its loss is the sum over tokens of weight times
/// KL(teacher || student), and of weight times the squared error of each stream
/// relative to the teacher's, times a factor. Without logits, the squared error
/// of the last stream is in the place of KL.
class HealPrograms {
public:
  /// `function` has dynamic rows, or those of `sizes`; its only result is
  /// logits, if it has any. `streamFactor` 0 leaves streams out.
  static llvm::Expected<HealPrograms>
  create(mlir::func::FuncOp function, const Choice &choice, HealSizes sizes,
         double streamFactor, bool hasLogits, const DriftEngine &engine);

  /// Student arguments that are trained: parameters of floats that converted
  /// layers alone read.
  llvm::ArrayRef<unsigned> getTrained() const { return trained; }
  /// Returns how block-quantize would divide each of these in groups; an error
  /// names a weight whose numbers other ops mix first.
  llvm::Expected<std::vector<CodeAxis>> findCodeAxes();
  HealSizes getSizes() const { return sizes; }
  int64_t getVocabulary() const { return vocabulary; }

  size_t countStreams() const { return streams; }
  /// Returns whether the last stream is in the place of logits.
  bool comparesStreams() const { return !hasLogits; }

  /// Returns the teacher's logits and streams.
  llvm::Expected<Tensors> runTeacher(llvm::ArrayRef<Tensor> arguments) const {
    return teacher(arguments);
  }
  /// Returns the part of the loss that is KL, or of the last stream.
  llvm::Expected<double> runLoss(llvm::ArrayRef<Tensor> arguments) const;
  /// Returns the gradient of each trained argument.
  llvm::Expected<Tensors> runStep(llvm::ArrayRef<Tensor> arguments) const;

private:
  llvm::Error build(mlir::func::FuncOp function, const Choice &choice,
                    double streamFactor);
  llvm::Error addStep();

  HealSizes sizes;
  int64_t vocabulary = 0;
  size_t streams = 0;
  bool hasLogits = true;
  std::vector<unsigned> trained;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ReadyFunction teacher, loss, step;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_HEALPROGRAMS_H
