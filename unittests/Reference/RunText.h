//===- RunText.h - runs a line of IR and compares numbers -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_REFERENCE_RUNTEXT_H
#define PARABLOCK_UNITTESTS_REFERENCE_RUNTEXT_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Judges/Reference/Interpreter.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <string>

namespace parablock::unittest {

using reference::Options;
using reference::Tensor;
using Values = std::vector<double>;
using Shape = llvm::SmallVector<int64_t>;

inline int64_t countOf(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// A tensor of values that are rounded to its type first.
inline Tensor tensor(llvm::ArrayRef<int64_t> shape, Values values,
                     ElementType type = ElementType::F32) {
  roundTo(type, values);
  return {type, Shape(shape),
          std::make_shared<const Values>(std::move(values))};
}

/// Numbers without a pattern, about in [-1, 1]; another `seed`, other numbers.
inline Tensor wild(llvm::ArrayRef<int64_t> shape, int seed,
                   ElementType type = ElementType::F32) {
  Values values(countOf(shape));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = std::sin(1.7 * (i + 1) + 37.3 * seed + 0.3 * i * (i % 7));
  return tensor(shape, std::move(values), type);
}

/// "tensor<2x3xf32>".
inline std::string typeOf(const Tensor &tensor) {
  std::string text = "tensor<";
  for (int64_t size : tensor.shape)
    text += std::to_string(size) + "x";
  return text + getElementTypeKeyword(tensor.type).str() + ">";
}

/// The outcome of a run: results, or the text of its diagnostics.
struct Outcome {
  std::vector<Tensor> results;
  std::string errors;

  bool ok() const { return errors.empty() && !results.empty(); }
  const Values &values(unsigned result = 0) const {
    static const Values none;
    return result < results.size() ? *results[result].values : none;
  }
};

/// Parses `module` and runs its @main.
inline Outcome runModule(llvm::StringRef module,
                         llvm::ArrayRef<Tensor> arguments,
                         const Options &options = {}) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<block::BlockDialect, mlir::func::FuncDialect,
                      mlir::tensor::TensorDialect, mlir::arith::ArithDialect,
                      mlir::linalg::LinalgDialect>();
  context.allowUnregisteredDialects();
  Outcome outcome;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        outcome.errors += diagnostic.str() + "\n";
        return mlir::success();
      });
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(module, &context);
  if (!parsed)
    return outcome;
  auto main = parsed->lookupSymbol<mlir::func::FuncOp>("main");
  auto results = reference::run(main, arguments, options);
  if (mlir::succeeded(results))
    outcome.results = std::move(*results);
  return outcome;
}

/// Runs `body`, which names its arguments %0, %1, ... and its result %r of type
/// `resultType`.
inline Outcome runBody(llvm::StringRef body, llvm::StringRef resultType,
                       llvm::ArrayRef<Tensor> arguments,
                       const Options &options = {}) {
  std::string text = "func.func @main(";
  for (size_t i = 0; i < arguments.size(); ++i)
    text +=
        (i ? ", %a" : "%a") + std::to_string(i) + ": " + typeOf(arguments[i]);
  text += (") -> " + resultType + " {\n" + body +
           "\nreturn %r : " + resultType + "\n}\n")
              .str();
  return runModule(text, arguments, options);
}

/// Without rounding, so that formulas can be compared to the last digits.
inline Options exact() {
  Options options;
  options.exactArithmetic = true;
  return options;
}

inline double largestDifference(llvm::ArrayRef<double> got,
                                llvm::ArrayRef<double> want) {
  if (got.size() != want.size() || want.empty())
    return HUGE_VAL;
  double largest = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    double difference = std::abs(got[i] - want[i]);
    largest = difference <= largest ? largest : difference;
  }
  return std::isnan(largest) ? HUGE_VAL : largest;
}

/// Prints the first result of a run, or what went wrong.
inline void PrintTo(const Outcome &outcome, std::ostream *os) {
  if (outcome.ok())
    *os << testing::PrintToString(outcome.values());
  else
    *os << "failed: " << outcome.errors;
}

MATCHER(Runs, "") { return arg.ok(); }

MATCHER_P2(YieldsUpTo, want, limit, "") {
  if (!arg.ok())
    return false;
  double difference = largestDifference(arg.values(), want);
  *result_listener << "which differs by " << difference;
  return difference <= limit;
}

/// Matches a run whose first result is `want` up to rounding of double
/// arithmetic.
inline auto YieldsNear(Values want) {
  return YieldsUpTo(std::move(want), 1e-12);
}

/// Matches a run whose first result is `want` to the last bit.
inline auto Yields(Values want) { return YieldsUpTo(std::move(want), 0); }

/// Matches a run that was refused with a diagnostic that holds `part`.
MATCHER_P(IsRefusedWith, part, "") {
  return llvm::StringRef(arg.errors).contains(part) && arg.results.empty();
}

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_REFERENCE_RUNTEXT_H
