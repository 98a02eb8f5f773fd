//===- Measure.h - checked and timed models ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_BENCH_MEASURE_H
#define PARABLOCK_TOOLS_BLOCK_BENCH_MEASURE_H

#include "mlir/IR/MLIRContext.h"
#include "parablock/Frontends/Generate/ModelBuilder.h"
#include "parablock/Judges/Compare/Original.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace bench {

/// Numbers of our own are out of tolerance (exit code 3).
class WrongNumbersError : public llvm::ErrorInfo<WrongNumbersError> {
public:
  static char ID;
  explicit WrongNumbersError(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override;

private:
  std::string text;
};

/// A model to build: layers of a family.
struct ModelRequest {
  std::string family = "gpt2";
  /// From hidden states to hidden states, or from ids to logits.
  parablock::generate::Scope scope = parablock::generate::Scope::Block;
  int64_t layers = 1;
  /// None for the published ones.
  std::optional<int64_t> width, heads, kvHeads, hidden, vocabulary, positions;
  int64_t batch = 1, tokens = 1;
  parablock::generate::FloatKind dtype = parablock::generate::FloatKind::F32;
  /// Codes that weights are rounded to, as block-quantize names them, or empty.
  std::string weights;
  /// Made parallel, which is another function with the same weights.
  bool isParallel = false;
  /// A step of training: computes gradients in addition to the results of
  /// layers, or to the cross entropy of a model.
  bool isStep = false;
};

/// A function with values for its arguments, and its exact results.
class Model {
public:
  static llvm::Expected<std::unique_ptr<Model>>
  create(mlir::MLIRContext &context, const ModelRequest &request);

  /// Creates a model without exact results, for which the reference engine is
  /// too slow: the first measured results replace them.
  static llvm::Expected<std::unique_ptr<Model>>
  createUnchecked(mlir::MLIRContext &context, const ModelRequest &request);

  /// Runs on `engine` and checks the outputs before it returns the time, which
  /// for steps includes the packing of weights.
  llvm::Expected<llvm::json::Object> measure(parablock::runner::Engine &engine,
                                             unsigned threads, unsigned repeat);

  /// The bytes of all weights, each of which a token reads once.
  uint64_t getWeightBytes() const;

  enum class Part { Weights, Values };
  /// Weights by name, or inputs by name and the exact outputs as
  /// "expected.NAME".
  llvm::Error write(llvm::StringRef path, llvm::ArrayRef<Part> parts) const;

private:
  static llvm::Expected<std::unique_ptr<Model>>
  bind(mlir::MLIRContext &context, const ModelRequest &request);
  llvm::Error expect();

  mlir::OwningOpRef<mlir::ModuleOp> module;
  parablock::runner::BoundFunction function;
  std::vector<parablock::runner::Tensor> arguments;
  std::optional<parablock::runner::OutputRows> rows;
  bool isStep = false;
  /// Absent if no exact results were computed; `first` then replaces it.
  std::optional<parablock::runner::Original> original;
  parablock::runner::Outputs first;
};

/// The IR of a model with the same weights, for inputs of any sizes.
llvm::Expected<std::string> printOpenModel(mlir::MLIRContext &context,
                                           const ModelRequest &request);

/// "f32", "bf16".
llvm::StringRef getName(parablock::generate::FloatKind dtype);

} // namespace bench

#endif // PARABLOCK_TOOLS_BLOCK_BENCH_MEASURE_H
