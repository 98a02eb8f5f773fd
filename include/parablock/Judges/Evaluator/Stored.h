//===- Stored.h - evaluation of stored tensors ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The evaluator for tensors that are too large to hold as doubles: a
// value is computed on demand, some rows at a time, as bytes. Ops that
// only move elements never decode them, and contiguous elements are not
// copied.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EVALUATOR_STORED_H
#define PARABLOCK_EVALUATOR_STORED_H

#include "mlir/IR/Value.h"
#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <vector>

namespace parablock::evaluator {

/// A tensor in file format, row-major and little-endian: the bytes of an open
/// file, or shared memory.
struct StoredTensor {
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t> shape;
  llvm::ArrayRef<uint8_t> bytes;
  std::shared_ptr<std::vector<uint8_t>> memory;

  /// Allocates a tensor of zeros.
  static StoredTensor allocate(ElementType type, llvm::ArrayRef<int64_t> shape);
  llvm::MutableArrayRef<uint8_t> mutableBytes() { return *memory; }
};

/// Rounds every element of `tensor` to `type`.
StoredTensor convert(const StoredTensor &tensor, ElementType type);

using StoredLookup =
    llvm::function_ref<mlir::FailureOr<StoredTensor>(mlir::BlockArgument)>;
/// Receives the next bytes of a tensor.
using StoredSink =
    llvm::function_ref<mlir::LogicalResult(llvm::ArrayRef<uint8_t>)>;

/// Evaluates a value of a function and passes its bytes on in order. `lookup`
/// returns each argument when it is needed. Memory holds the operands of one
/// op, some rows of its result, and whole results that several ops or a move
/// read. Float results are rounded after every op.
mlir::LogicalResult emitStored(mlir::Value value, StoredLookup lookup,
                               StoredSink sink);

/// Evaluates a value into memory.
mlir::FailureOr<StoredTensor> evaluateStored(mlir::Value value,
                                             StoredLookup lookup);

} // namespace parablock::evaluator

#endif // PARABLOCK_EVALUATOR_STORED_H
