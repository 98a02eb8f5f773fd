//===- Stored.h - upstream ops on tensors as files hold them ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the evaluator computes, of tensors that are too large to hold as
// doubles: a value is made when it is asked for, rows of it at a time, as
// bytes. What only moves elements never decodes them, and is not copied where
// they lie side by side.
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

/// A tensor as files store it, row-major and little-endian: the bytes of an
/// open file, or memory that it shares with others.
struct StoredTensor {
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t> shape;
  llvm::ArrayRef<uint8_t> bytes;
  std::shared_ptr<std::vector<uint8_t>> memory;

  /// Makes zeros of its own.
  static StoredTensor allocate(ElementType type, llvm::ArrayRef<int64_t> shape);
  llvm::MutableArrayRef<uint8_t> mutableBytes() { return *memory; }
};

/// Rounds every element of `tensor` to `type`.
StoredTensor convert(const StoredTensor &tensor, ElementType type);

using StoredLookup =
    llvm::function_ref<mlir::FailureOr<StoredTensor>(mlir::BlockArgument)>;
/// Takes the next bytes of a tensor.
using StoredSink =
    llvm::function_ref<mlir::LogicalResult(llvm::ArrayRef<uint8_t>)>;

/// Evaluates a value of a function whose arguments `lookup` gives, each when it
/// is needed, and passes its bytes on in order. In memory are the operands of
/// one op and some rows of its result, and all of a result that several ops or
/// a move reads. Float results are rounded after every op.
mlir::LogicalResult emitStored(mlir::Value value, StoredLookup lookup,
                               StoredSink sink);

/// Evaluates a value to keep it.
mlir::FailureOr<StoredTensor> evaluateStored(mlir::Value value,
                                             StoredLookup lookup);

} // namespace parablock::evaluator

#endif // PARABLOCK_EVALUATOR_STORED_H
