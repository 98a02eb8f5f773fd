//===- Step.h - one op being evaluated --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_STEP_H
#define PARABLOCK_LIB_EVALUATOR_STEP_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"
#include "parablock/Judges/Evaluator/Evaluator.h"
#include "parablock/Support/ExactIntegers.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace parablock::evaluator {

using Shape = llvm::SmallVector<int64_t>;

/// One op with its operands, and its errors.
class Step {
public:
  using Lookup = llvm::function_ref<const Array &(mlir::Value)>;

  Step(mlir::Operation *op, Lookup lookup, const Options &options)
      : op(op), lookup(lookup), options(options) {}

  const Array &get(mlir::Value value) const { return lookup(value); }
  const Array &operand(unsigned index) const {
    return lookup(op->getOperand(index));
  }
  int64_t getWhole(mlir::Value value) const {
    return toInteger(lookup(value).data().front());
  }
  ElementType getResultType(unsigned result = 0) const {
    return *getElementTypeOf(op->getResult(result).getType());
  }

  mlir::InFlightDiagnostic error() const { return op->emitOpError(); }

  /// Checks that `got` is `expected`; otherwise an error about `what`.
  mlir::LogicalResult check(const llvm::Twine &what, int64_t got,
                            int64_t expected) const;

  /// Zeros, or an error where the shape is nonsense.
  mlir::FailureOr<std::vector<double>> allocate(llvm::ArrayRef<int64_t>) const;

  /// A result: rounded to its element type unless the arithmetic is exact.
  Array finish(unsigned result, std::vector<double> values,
               llvm::ArrayRef<int64_t> shape) const;
  Arrays finish(std::vector<double> values,
                llvm::ArrayRef<int64_t> shape) const {
    return {finish(0, std::move(values), shape)};
  }
  /// Returns a result that shares existing elements.
  Arrays share(const Array &source, llvm::ArrayRef<int64_t> shape) const;

  mlir::Operation *const op;
  const Lookup lookup;
  const Options &options;
  /// The first computed row of a larger result, and the loop over
  /// rows.
  int64_t firstRow = 0;
  unsigned rowLoop = 0;
  /// False if the op that stores the result rounds it.
  bool roundsResult = true;
};

/// Maps op names to evaluators.
class Table {
public:
  using Evaluate = std::function<mlir::FailureOr<Arrays>(Step &)>;

  static const Table &get();
  /// Null for an op that is not on the list.
  const Evaluate *lookup(mlir::Operation *op) const;

  template <typename OpT>
  void add(mlir::FailureOr<Arrays> (*evaluate)(OpT, Step &)) {
    entries[OpT::getOperationName()] = [evaluate](Step &step) {
      return evaluate(mlir::cast<OpT>(step.op), step);
    };
  }
  void add(llvm::StringRef name, Evaluate evaluate) {
    entries[name] = std::move(evaluate);
  }

private:
  llvm::StringMap<Evaluate> entries;
};

// One function per topic, each in a separate file.
void addConstantEvaluators(Table &table);
void addScalarEvaluators(Table &table);
void addSoftmaxEvaluator(Table &table);
void addTensorShapeEvaluators(Table &table);
void addTensorSliceEvaluators(Table &table);
void addTosaElementwiseEvaluators(Table &table);
void addTosaMoveEvaluators(Table &table);
void addTosaReductionEvaluators(Table &table);

/// Any structured op of `linalg`, from its maps and its body.
mlir::FailureOr<Arrays> evaluateStructured(Step &step);

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_STEP_H
