//===- Dataset.h - calibration data, split and cut in chunks ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_DATASET_H
#define PARABLOCK_LIB_DRIFT_DATASET_H

#include "Outline.h"
#include "parablock/Execution/ArgumentSupply.h"
#include <array>

namespace parablock::drift {

/// Purposes of sequences: fitting corrections, choosing pairs, and reporting.
/// Each sequence has one purpose.
enum class Split { Fit, Select, Report };

/// Sizes of rows as the IR has them.
runner::DimSizes getRowSizes(mlir::func::FuncOp function);

/// The source of a model's inputs.
struct DataRequest {
  /// May be empty.
  std::string path;
  /// Required sizes of rows, and defaults for the
  /// others.
  runner::DimSizes dims, defaultDims;
  /// The sizes of the model if its rows cannot be made dynamic; otherwise
  /// 0.
  int64_t batch = 0, sequence = 0;
  /// Seed for inputs that no file contains.
  uint64_t seed = 0;
};

/// Some neighbouring sequences.
struct Chunk {
  int64_t firstRow, rows;
  Split split;
};

/// The inputs of a model for all sequences. Chunks are small enough that
/// several results of a layer for one fit in memory.
class Dataset {
public:
  /// `function` has dynamic rows; with a fixed batch, in its arguments.
  static llvm::Expected<Dataset> create(mlir::func::FuncOp function,
                                        const DataRequest &request,
                                        llvm::raw_ostream &remarks);

  /// Returns the same inputs with other ids: `[rows, length]` of them, all in
  /// the report split.
  Dataset withIds(llvm::ArrayRef<double> ids, int64_t length) const;
  bool hasOnlyIds() const;

  llvm::ArrayRef<Chunk> chunks() const { return chunkList; }
  int64_t numRows() const { return rows; }
  /// Returns the rows of every call, where the model fixes them; else 0.
  int64_t getFixedBatch() const { return batch; }
  int64_t numTokensPerRow() const { return tokens; }

  /// The rows of argument `argument` of the model's function that are `chunk`.
  Tensor getInput(mlir::Value argument, const Chunk &chunk) const;

  /// Returns the number of arguments of the model's function.
  size_t countArguments() const { return inputs.size(); }
  /// Returns rows of any order of an input; an input without rows as it is.
  Tensor gatherRows(size_t argument, llvm::ArrayRef<int64_t> rows) const;
  /// Returns the rows of a split, or of all, in order.
  std::vector<int64_t> listRows(std::optional<Split> split) const;

  /// One flag per token of a chunk: no padding.
  std::vector<uint8_t> getValid(const Chunk &chunk) const;
  /// Ids of the tokens of a chunk; null where the model does not read ids.
  std::optional<Tensor> getIds(const Chunk &chunk) const;

  int64_t countSequences(Split split) const;
  int64_t countTokens(Split split) const;
  /// `sha256:` of names, sizes and values of all inputs.
  std::string computeHash() const;

private:
  void split();
  llvm::Error checkRows() const;

  std::vector<std::string> names;
  /// Values by argument number; none for parameters.
  Tensors inputs;
  int64_t rows = 0, tokens = 0;
  /// Rows of every chunk, where the model fixes them.
  int64_t batch = 0;
  /// True by argument number where the leading dimension is rows.
  std::vector<bool> hasRows;
  std::optional<size_t> idsArgument, lengthsArgument;
  std::vector<Chunk> chunkList;
};

/// Calls `body` with the index of each chunk of one of `splits`, several at a
/// time; returns the first error.
llvm::Error
forEachChunk(const Dataset &data, llvm::ArrayRef<Split> splits,
             llvm::function_ref<llvm::Error(size_t index, const Chunk &)> body);

/// Joins the results of `measure` for each chunk of one of `splits`, in order.
/// Calls it as `measure(index, chunk, found)`, several at a time.
template <typename T, typename Measure>
llvm::Expected<T> joinChunks(const Dataset &data, llvm::ArrayRef<Split> splits,
                             Measure measure) {
  std::vector<T> byChunk(data.chunks().size());
  llvm::Error error =
      forEachChunk(data, splits, [&](size_t index, const Chunk &chunk) {
        return measure(index, chunk, byChunk[index]);
      });
  if (error)
    return error;
  T all;
  for (const T &part : byChunk)
    all.append(part);
  return all;
}

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_DATASET_H
