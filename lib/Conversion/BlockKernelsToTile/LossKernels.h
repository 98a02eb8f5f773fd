//===- LossKernels.h - kernels of a cross entropy ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_LOSSKERNELS_H
#define PARABLOCK_LIB_CONVERSION_LOSSKERNELS_H

#include "GradientKernels.h"
#include "LossProduct.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/GradientLaunches.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

namespace parablock {

/// Columns of what is known of a row: the largest logit, and one over the sum
/// of exponentials relative to it.
inline constexpr int64_t kLargest = 0, kShare = 1, kFacts = 2;

/// A cross entropy, or its gradients, as kernels.
class LossKernels {
public:
  template <typename OpT>
  LossKernels(const GradientSite &site, OpT op)
      : site(site), op(op), input(op.getInput()), weight(op.getWeight()),
        targets(op.getTargets()), bias(op.getBias()), divisor(op.getDivisor()),
        inputAt{op.getInputMutable().getOperandNumber()},
        weightAt{op.getWeightMutable().getOperandNumber()},
        targetsAt{op.getTargetsMutable().getOperandNumber()},
        biasAt(find(op.getBiasMutable())),
        divisorAt(find(op.getDivisorMutable())), scale(op.getScale()),
        cap(op.getSoftcap()), ignored(static_cast<int64_t>(op.getIgnored())),
        element(mlir::getElementTypeOrSelf(input)),
        unit(element.isF16() ? 32768 : 1), rows(getStaticRows(input.getType())),
        vocabulary(block::getDim(weight, 0)), width(block::getDim(weight, 1)),
        f32(mlir::Float32Type::get(op.getContext())),
        i64(mlir::IntegerType::get(op.getContext(), 64)) {}

  mlir::LogicalResult check();
  mlir::FailureOr<LaunchSequence> buildLoss();
  mlir::FailureOr<LaunchSequence>
  buildGradients(block::CrossEntropyGradOp grad);

private:
  static LaunchSequence::Source find(mlir::MutableOperandRange optional) {
    return {optional.empty() ? 0U : optional[0].getOperandNumber()};
  }
  /// The type of tensors with `sizes` for each row.
  mlir::RankedTensorType getRowsType(mlir::Type type,
                                     llvm::ArrayRef<int64_t> sizes) const {
    llvm::SmallVector<int64_t> shape(
        llvm::cast<mlir::RankedTensorType>(input.getType())
            .getShape()
            .drop_back());
    llvm::append_range(shape, sizes);
    return mlir::RankedTensorType::get(shape, type);
  }
  mlir::Type getOne(mlir::Type type) const {
    return mlir::RankedTensorType::get({1}, type);
  }
  mlir::Value countRows(TileCode code, mlir::Value tensor) const {
    return createRowCount(code.builder, code.loc, tensor);
  }

  // Elements.
  mlir::Value loadNumber(TileCode code, mlir::Value tensor) const {
    return tile::LoadOp::create(code.builder, code.loc, f32, tensor,
                                mlir::ValueRange{code.index(0)});
  }
  mlir::Value loadTarget(TileCode code, mlir::Value tensor,
                         mlir::Value row) const {
    return tile::LoadOp::create(code.builder, code.loc, i64, tensor,
                                mlir::ValueRange{row});
  }
  mlir::Value isIgnored(TileCode code, mlir::Value target) const;
  /// Loads a chunk's number, and returns its first column.
  mlir::Value loadFirst(TileCode code, mlir::Value number,
                        const LossChunks &chunks) const;
  mlir::Value toColumn(TileCode code, mlir::Value target) const;
  mlir::Value toUnits(TileCode code, mlir::Value gradient) const;
  mlir::Value finishSum(TileCode code, mlir::Value sum,
                        mlir::Value factor) const;
  mlir::Value finishLogit(TileCode code, mlir::Value product,
                          mlir::Value biases, mlir::Value column) const;
  /// Adds the losses of all rows, if there are any, and 1 for each that counts.
  std::pair<mlir::Value, mlir::Value> addRows(TileCode code, mlir::Value losses,
                                              mlir::Value ids) const;

  // Numbers that may be constants.
  void addNumber(LaunchSequence::Source source,
                 llvm::SmallVectorImpl<LaunchSequence::Source> &numbers) const;
  void appendTypes(llvm::ArrayRef<LaunchSequence::Source> numbers,
                   llvm::SmallVectorImpl<mlir::Type> &types) const;
  mlir::Value getNumber(TileCode code, KernelShell &shell, mlir::Value value,
                        unsigned &next) const;

  // Launches of both ops.
  tile::KernelOp buildTiles();
  tile::KernelOp buildRows();
  tile::KernelOp buildSum(llvm::ArrayRef<LaunchSequence::Source> numbers);
  /// Appends the launches that give facts and losses of rows.
  unsigned appendRows();

  // Launches of gradients.
  tile::KernelOp buildStart(block::CrossEntropyGradOp grad,
                            llvm::ArrayRef<LaunchSequence::Source> numbers,
                            mlir::TypeRange sums);
  tile::KernelOp buildChunk(const LossChunks &chunks);
  tile::KernelOp buildInput(const LossChunks &chunks, mlir::Type result);
  tile::KernelOp buildWeight(const LossChunks &chunks, mlir::Type result);
  tile::KernelOp buildBias(const LossChunks &chunks,
                           mlir::RankedTensorType parts, mlir::Type result);
  tile::KernelOp buildParts(const LossChunks &chunks,
                            mlir::RankedTensorType parts, mlir::Type result);
  tile::KernelOp buildRounded(mlir::Type result);
  /// The kernels of every chunk: gradients by logits, parts of those by a bias,
  /// and what is added to the gradient by each operand.
  struct ChunkKernels {
    tile::KernelOp logits, parts;
    llvm::SmallVector<tile::KernelOp> ofSums;
  };
  ChunkKernels buildChunkKernels(const LossChunks &chunks,
                                 block::CrossEntropyGradOp grad);
  /// Results of earlier launches that a chunk reads: facts of rows, its number,
  /// the factor of sums, and the sums of earlier chunks, which it replaces.
  struct ChunkSources {
    LaunchSequence::Source rows, number, factor;
    llvm::SmallVector<LaunchSequence::Source> sums;
  };
  void appendChunk(const ChunkKernels &kernels, block::CrossEntropyGradOp grad,
                   ChunkSources &sources);
  void emitGradients(TileCode code, KernelShell &shell,
                     const LossProduct::Row &row, mlir::Value first,
                     const LossChunks &chunks) const;
  /// The gradients by the logits of a chunk: their first terms, then others.
  mlir::Type getChunkType(const LossChunks &chunks) const {
    return getRowsType(element, chunks.columns * chunks.terms);
  }
  void copyOtherRows(TileCode code, KernelShell &shell, unsigned number,
                     mlir::Value first, int64_t count) const;

  const GradientSite &site;
  mlir::Operation *op;
  mlir::Value input, weight, targets, bias, divisor;
  /// Their numbers, not found by values: kernels are those of other ops, too,
  /// whose operands may be two values where this op's are one.
  LaunchSequence::Source inputAt, weightAt, targetsAt, biasAt, divisorAt;
  llvm::APFloat scale;
  std::optional<llvm::APFloat> cap;
  int64_t ignored;
  mlir::Type element;
  /// Gradients by logits are at most 1, and multiplied by this power of two: in
  /// f16, the smallest number is then that of one of 2^39 columns.
  double unit;
  std::optional<int64_t> rows;
  int64_t vocabulary, width;
  mlir::Type f32, i64;
  /// Tiles of columns that leave numbers for each row.
  int64_t tiles = 0;
  LaunchSequence sequence;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_LOSSKERNELS_H
