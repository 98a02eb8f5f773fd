//===- Evaluator.cpp - runs functions op by op ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Evaluator/Evaluator.h"

#include "Step.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

static std::string describe(const Array &array) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << getElementTypeKeyword(array.type) << " [";
  llvm::interleaveComma(array.shape, os);
  os << "]";
  return text;
}

/// Shape and element type are those that `type` declares, as far as it does.
static bool matches(const Array &array, Type type) {
  if (getElementTypeOf(type) != array.type)
    return false;
  auto tensor = dyn_cast<RankedTensorType>(type);
  ArrayRef<int64_t> declared;
  if (tensor)
    declared = tensor.getShape();
  return succeeded(verifyCompatibleShape(declared, array.shape));
}

bool evaluator::isKnown(Operation *op) {
  return Table::get().lookup(op) != nullptr;
}

static bool isKnown(func::FuncOp function,
                    llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (!seen.insert(function).second)
    return true;
  // The evaluator's own message says what is wrong with other bodies.
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return true;
  return llvm::all_of(
      function.getBody().front().without_terminator(), [&](Operation &op) {
        auto call = dyn_cast<func::CallOp>(op);
        auto callee = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                                 call, call.getCalleeAttr())
                           : func::FuncOp();
        return evaluator::isKnown(&op) && (!callee || isKnown(callee, seen));
      });
}

bool evaluator::isKnown(func::FuncOp function) {
  llvm::SmallPtrSet<Operation *, 4> seen;
  return ::isKnown(function, seen);
}

static FailureOr<Arrays> evaluate(Step &step) {
  Operation *op = step.op;
  const Table::Evaluate *evaluator = Table::get().lookup(op);
  if (!evaluator)
    return op->emitOpError("is not on the list of ops that can be evaluated");
  // A shape of TOSA is read where it is used: its value is for show.
  bool isShape = op->getName().getStringRef() == "tosa.const_shape";
  for (Type type : op->getResultTypes())
    if (!isShape && !getElementTypeOf(type))
      return op->emitOpError()
             << "has a result of type " << type << ", which has no values here";
  FailureOr<Arrays> results = (*evaluator)(step);
  if (failed(results))
    return failure();
  for (auto [result, array] : llvm::zip_equal(op->getResults(), *results))
    if (!isShape && !matches(array, result.getType()))
      return op->emitOpError()
             << "expected result " << result.getResultNumber() << " to be "
             << result.getType() << ", got " << describe(array);
  return results;
}

FailureOr<Arrays> evaluator::runOp(Operation *op, Step::Lookup lookup,
                                   const Options &options) {
  Step step(op, lookup, options, /*callDepth=*/0);
  return evaluate(step);
}

namespace {
/// The values of one function in execution, each until its last use.
class Frame {
public:
  void set(Value value, Array array) {
    auto uses = std::distance(value.use_begin(), value.use_end());
    if (uses)
      entries[value] = {std::move(array), static_cast<int64_t>(uses)};
  }
  const Array &get(Value value) const {
    return entries.find(value)->second.array;
  }
  /// Uses by `op` and by the ops in its regions are over.
  void drop(Operation *op) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        auto entry = entries.find(operand);
        if (entry != entries.end() && --entry->second.usesLeft == 0)
          entries.erase(entry);
      }
    });
  }

private:
  struct Entry {
    Array array;
    int64_t usesLeft;
  };
  llvm::DenseMap<Value, Entry> entries;
};
} // namespace

static LogicalResult checkCallable(func::FuncOp function,
                                   ArrayRef<Array> arguments,
                                   unsigned callDepth) {
  // Without branches a chain of calls this long never ends.
  constexpr unsigned deepest = 64;
  if (function.isExternal())
    return function.emitOpError("has no body to run");
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has branches, which cannot be evaluated");
  if (callDepth > deepest)
    return function.emitOpError()
           << "is called more than " << deepest << " levels deep";
  if (arguments.size() != function.getNumArguments())
    return function.emitOpError() << "expected " << function.getNumArguments()
                                  << " arguments, got " << arguments.size();
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Type type = function.getArgumentTypes()[index];
    if (!matches(argument, type))
      return function.emitOpError()
             << "expected argument " << index << " to be " << type << ", got "
             << describe(argument);
  }
  return success();
}

FailureOr<Arrays> evaluator::runFunction(func::FuncOp function,
                                         ArrayRef<Array> arguments,
                                         const Options &options,
                                         unsigned callDepth) {
  if (failed(checkCallable(function, arguments, callDepth)))
    return failure();
  Frame frame;
  for (auto [value, array] :
       llvm::zip_equal(function.getArguments(), arguments))
    frame.set(value, array);
  Block &body = function.getBody().front();
  for (Operation &op : body.without_terminator()) {
    auto lookup = [&](Value value) -> const Array & {
      return frame.get(value);
    };
    Step step(&op, lookup, options, callDepth);
    FailureOr<Arrays> results = evaluate(step);
    if (failed(results))
      return failure();
    frame.drop(&op);
    if (options.observer)
      options.observer(&op, *results);
    for (auto [result, array] : llvm::zip_equal(op.getResults(), *results))
      frame.set(result, std::move(array));
  }
  Arrays results;
  for (Value operand : body.getTerminator()->getOperands())
    results.push_back(frame.get(operand));
  return results;
}

FailureOr<Arrays> evaluator::run(func::FuncOp function,
                                 ArrayRef<Array> arguments,
                                 const Options &options) {
  return runFunction(function, arguments, options, /*callDepth=*/0);
}
