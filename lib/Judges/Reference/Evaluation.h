//===- Evaluation.h - state of an evaluation --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every value is a Tensor: scalars and `index` values are tensors of rank 0,
// the latter of type I64.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_EVALUATION_H
#define PARABLOCK_LIB_REFERENCE_EVALUATION_H

#include "mlir/IR/Operation.h"
#include "parablock/Judges/Reference/Interpreter.h"
#include "parablock/Support/ExactIntegers.h"
#include "llvm/ADT/DenseMap.h"

namespace parablock::reference {

using Tensors = llvm::SmallVector<Tensor, 1>;

/// Maximum number of elements of a tensor: invalid sizes hidden by a `?` must
/// be a diagnostic, not an allocation of all memory.
inline constexpr int64_t maxElements = int64_t(1) << 28;

/// Returns the element type of an IR type; none for an unsupported one (tensors
/// of tensors, complex numbers, memrefs).
std::optional<ElementType> getElementTypeOf(mlir::Type type);

/// The product of a shape, or none if it is negative somewhere or has more
/// than `maxElements`.
std::optional<int64_t> countElementsWithinLimit(llvm::ArrayRef<int64_t> shape);

/// Returns whether shape and element type match `type`, as far as it is static.
bool matchesType(const Tensor &tensor, mlir::Type type);

/// "f32 [2, 3]", for diagnostics.
std::string describe(const Tensor &tensor);

/// A whole number, as a double holds it, for diagnostics.
std::string formatWhole(double value);

/// The values of one function in execution. A value is kept until its last use
/// has been executed.
class Frame {
public:
  Frame(const Options &options, unsigned callDepth)
      : options(options), callDepth(callDepth) {}

  const Tensor &get(mlir::Value value) const {
    return values.find(value)->second.tensor;
  }
  void set(mlir::Value value, Tensor tensor);
  /// Executes the ops of `block` up to its terminator and returns the
  /// terminator's operands.
  mlir::FailureOr<Tensors> runBlock(mlir::Block &block);

  /// Its parts: evaluates `op`; stores the results; returns a terminator's
  /// operands.
  mlir::FailureOr<Tensors> evaluate(mlir::Operation &op);
  mlir::FailureOr<Tensors> evaluateUpstream(mlir::Operation &op);
  void finish(mlir::Operation &op, const Tensors &results);
  Tensors leave(mlir::Operation &terminator);

  const Options &options;
  const unsigned callDepth;

private:
  struct Entry {
    Tensor tensor;
    int64_t usesLeft;
  };
  void dropUses(mlir::Operation &op);

  llvm::DenseMap<mlir::Value, Entry> values;
};

/// One op being evaluated in a frame: its operands, its diagnostics, its
/// results.
class Evaluation {
public:
  Evaluation(mlir::Operation *op, Frame &frame) : op(op), frame(frame) {}

  const Tensor &get(mlir::Value value) const { return frame.get(value); }
  /// Null for an optional operand that is absent.
  const Tensor *getOptional(mlir::Value value) const {
    return value ? &frame.get(value) : nullptr;
  }
  int64_t getIndex(mlir::Value value) const {
    return toInteger(frame.get(value).data().front());
  }

  mlir::InFlightDiagnostic error(const llvm::Twine &message = {}) const {
    return op->emitOpError(message);
  }

  /// Dimension `dim` of `tensor` is `expected`; a null tensor passes.
  mlir::LogicalResult checkSize(llvm::StringRef name, const Tensor *tensor,
                                unsigned dim, int64_t expected,
                                const llvm::Twine &why) const;
  mlir::LogicalResult checkSize(llvm::StringRef name, const Tensor &tensor,
                                unsigned dim, int64_t expected,
                                const llvm::Twine &why) const {
    return checkSize(name, &tensor, dim, expected, why);
  }
  mlir::LogicalResult checkSameShape(llvm::StringRef name, const Tensor &tensor,
                                     llvm::StringRef otherName,
                                     const Tensor &other) const;
  /// `divisor` is positive and divides `size`.
  mlir::LogicalResult checkDivides(llvm::StringRef divisorName, int64_t divisor,
                                   llvm::StringRef sizeName,
                                   int64_t size) const;
  /// A type that an attribute rounds to is one that has values here.
  mlir::LogicalResult checkRoundsTo(llvm::StringRef name,
                                    mlir::Type type) const;

  /// Zeros for a result of this shape, or a diagnostic where it is too large.
  mlir::FailureOr<std::vector<double>>
  allocate(llvm::ArrayRef<int64_t> shape) const;

  /// The element type of a result, and of any value.
  ElementType getResultType(unsigned result = 0) const {
    return getType(op->getResult(result));
  }
  static ElementType getType(mlir::Value value) {
    return *getElementTypeOf(value.getType());
  }

  /// Returns a result or an intermediate at a rounding point: rounded to
  /// `type`, unless the arithmetic is exact.
  Tensor round(std::vector<double> values, llvm::ArrayRef<int64_t> shape,
               ElementType type) const;
  /// A tensor of values that `type` already holds.
  static Tensor wrap(std::vector<double> values, llvm::ArrayRef<int64_t> shape,
                     ElementType type);

  mlir::Operation *const op;
  Frame &frame;
};

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_EVALUATION_H
