//===- RunTwice.cpp - the reference before and after passes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RunTwice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Judges/Reference/Interpreter.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::fuzz;

/// A call that is larger than this is not worth its time.
static constexpr int64_t kMostElements = 20'000;
static constexpr double kMostWork = 4e6;

static const runner::DimSizes &getSizes() {
  static const runner::DimSizes sizes = {
      {"batch", 2}, {"seq", 3}, {"encoder_seq", 4}, {"past", 2},
      {"d0", 2},    {"d1", 3},  {"d2", 2},          {"d3", 2}};
  return sizes;
}

Runs::Runs(uint64_t seed) : supply(nullptr, nullptr, getSizes(), seed) {}

/// Elements of a value, a small number for each `?`; `most` if that is more.
static int64_t countUpTo(ShapedType type, int64_t most) {
  int64_t count = 1;
  for (int64_t size : type.getShape()) {
    std::optional<int64_t> product = llvm::checkedMul<int64_t>(
        count, ShapedType::isDynamic(size) ? 4 : size);
    if (!product || *product > most)
      return most;
    count = *product;
  }
  return count;
}

/// No op touches many elements, and none multiplies large things.
bool fuzz::isSmall(func::FuncOp function) {
  double work = 0;
  auto module = function->getParentOfType<ModuleOp>();
  WalkResult result = module.walk([&](Operation *op) {
    int64_t elements = 0, longest = 1;
    auto add = [&](Type type) {
      auto shaped = dyn_cast<ShapedType>(type);
      if (!shaped || !shaped.hasRank())
        return;
      elements = std::max(elements, countUpTo(shaped, kMostElements));
      for (int64_t size : shaped.getShape())
        longest = std::max(longest, size);
    };
    llvm::for_each(op->getOperandTypes(), add);
    llvm::for_each(op->getResultTypes(), add);
    work += static_cast<double>(elements) * static_cast<double>(longest);
    // What a `?` will be.
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (auto index = dyn_cast<IntegerAttr>(constant.getValue()))
        if (index.getValue().getActiveBits() > 12)
          return WalkResult::interrupt();
    return elements < kMostElements && work < kMostWork
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

template <typename T>
static std::optional<T> takeOrIgnore(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  llvm::consumeError(value.takeError());
  return std::nullopt;
}

std::optional<Runs::Results> Runs::run(func::FuncOp function, bool exact) {
  auto bound = takeOrIgnore(supply.bind(function));
  if (!bound)
    return std::nullopt;
  auto arguments = takeOrIgnore(supply.provide(*bound));
  if (!arguments)
    return std::nullopt;
  Results results;
  reference::Options options;
  options.exactArithmetic = exact;
  options.observer = [&](Operation *, ArrayRef<HostTensor> tensors) {
    for (const HostTensor &tensor : tensors)
      for (double value : tensor.data())
        if (!(std::fabs(value) <= results.largest))
          results.largest = std::isnan(value) ? HUGE_VAL : std::fabs(value);
  };
  auto outputs = reference::run(function, *arguments, options);
  if (failed(outputs))
    return std::nullopt;
  results.outputs = std::move(*outputs);
  return results;
}

std::string fuzz::compareRuns(const Runs::Results &before,
                              const Runs::Results &after) {
  constexpr double tolerance = 1e-5, largestComparable = 1e4;
  if (!(before.largest < largestComparable))
    return "";
  if (before.outputs.size() != after.outputs.size())
    return "another number of results";
  for (auto [index, a] : llvm::enumerate(before.outputs)) {
    const HostTensor &b = after.outputs[index];
    if (a.shape != b.shape || a.type != b.type)
      return "result " + std::to_string(index) + " has another type";
    double scale = 0, difference = 0;
    for (auto [x, y] : llvm::zip_equal(a.data(), b.data())) {
      scale = std::max(scale, std::fabs(x));
      double distance = std::fabs(x - y);
      difference =
          std::isnan(distance) ? HUGE_VAL : std::max(difference, distance);
    }
    if (!(difference <= tolerance * (1 + scale)))
      return "result " + std::to_string(index) + " differs by " +
             std::to_string(difference) + " at magnitude " +
             std::to_string(scale);
  }
  return "";
}
