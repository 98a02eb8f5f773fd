//===- EmitMoves.cpp - lowers moves to tensor and linalg ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Weights are read through ops of `tensor` and `linalg`. A target with a single
// dialect requires a form of these ops, too.
//
//===----------------------------------------------------------------------===//

#include "LowerToUpstream.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;

using Moved = std::optional<Value>;

/// Slices of whole rows and columns, one dimension after the other.
static Moved emitSlice(tensor::ExtractSliceOp op, TensorEmitter &emit) {
  auto isNumber = [](int64_t size) { return !ShapedType::isDynamic(size); };
  if (!op.hasUnitStride() || op.getDroppedDims().any() ||
      !llvm::all_of(op.getStaticOffsets(), isNumber) ||
      !llvm::all_of(op.getStaticSizes(), isNumber))
    return std::nullopt;
  Value x = op.getSource();
  for (auto [dim, offset, size] :
       llvm::enumerate(op.getStaticOffsets(), op.getStaticSizes()))
    if (size != TensorEmitter::getType(x).getDimSize(dim))
      x = emit.slice(x, dim, offset, size);
  return x;
}

static Moved emitCollapse(tensor::CollapseShapeOp op, TensorEmitter &emit) {
  Value x = op.getSrc();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices()))
    if (group.size() > 1)
      x = emit.merge(x, dim, group.size());
  return x;
}

static Moved emitExpand(tensor::ExpandShapeOp op, TensorEmitter &emit) {
  if (!op.getResultType().hasStaticShape())
    return std::nullopt;
  Value x = op.getSrc();
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  unsigned dim = 0;
  for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
    SmallVector<Size> sizes;
    for (int64_t result : group)
      sizes.push_back(shape[result]);
    if (sizes.size() > 1)
      x = emit.split(x, dim, sizes);
    dim += sizes.size();
  }
  return x;
}

static Moved emitTranspose(linalg::TransposeOp op, TensorEmitter &emit) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  return emit.transpose(op.getInput(), op.getPermutation());
}

static Moved emitConcat(tensor::ConcatOp op, TensorEmitter &emit) {
  return emit.concat(SmallVector<Value>(op.getInputs()), op.getDim());
}

Moved parablock::emitMove(Operation *op, TensorEmitter &emit) {
  return llvm::TypeSwitch<Operation *, Moved>(op)
      .Case([&](tensor::ExtractSliceOp op) { return emitSlice(op, emit); })
      .Case([&](tensor::CollapseShapeOp op) { return emitCollapse(op, emit); })
      .Case([&](tensor::ExpandShapeOp op) { return emitExpand(op, emit); })
      .Case([&](tensor::ConcatOp op) { return emitConcat(op, emit); })
      .Case([&](linalg::TransposeOp op) { return emitTranspose(op, emit); })
      .Default([](Operation *) { return std::nullopt; });
}
