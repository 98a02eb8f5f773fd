//===- IntegerChecks.cpp - checks ids, lengths and counts -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Execution/IntegerChecks.h"
#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::Error;

/// Lists the limits of numbers in a fact.
static std::vector<IndexLimit> listLimits(const InputFact &fact) {
  std::vector<IndexLimit> limits;
  auto add = [&](IndexLimit::Kind kind, std::optional<int64_t> size) {
    if (!size)
      return;
    limits.emplace_back().kind = kind;
    limits.back().size = *size;
  };
  add(IndexLimit::Rows, fact.tableRows);
  if (fact.tableRows) {
    limits.back().ignored = fact.ignored;
    limits.back().countsFromEnd = fact.countsFromEnd;
  }
  add(IndexLimit::Tokens, fact.tokens);
  add(IndexLimit::Bounds, fact.packedTokens);
  if (fact.positions)
    limits.push_back(*fact.positions);
  return limits;
}

static Error checkLimits(llvm::ArrayRef<IndexLimit> limits,
                         const std::string &name,
                         const std::vector<int64_t> &shape,
                         const std::function<int64_t(size_t)> &getValue) {
  for (const IndexLimit &limit : limits)
    if (std::optional<std::string> fault =
            checkIndices(limit, name, shape, getValue))
      return llvm::createStringError(*fault);
  return Error::success();
}

Error runner::checkIntegers(llvm::StringRef name, const InputFact &fact,
                            llvm::ArrayRef<int64_t> shape,
                            llvm::function_ref<int64_t(size_t)> getValue) {
  return checkLimits(listLimits(fact), name.str(), shape.vec(), getValue);
}

IntegerLimits::IntegerLimits(const Signature &signature)
    : caches(collectCacheLimits(signature)) {
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    std::vector<InputLimit> limits = collectInputLimits(signature, index);
    if (!limits.empty())
      inputs.push_back(
          {static_cast<unsigned>(index), argument.name, std::move(limits)});
  }
}

Error IntegerLimits::check(
    llvm::ArrayRef<Shape> shapes,
    llvm::function_ref<int64_t(unsigned, size_t)> getValue) const {
  return SizedIntegerLimits(*this, shapes.vec()).check(getValue);
}

SizedIntegerLimits::SizedIntegerLimits(const IntegerLimits &limits,
                                       std::vector<Shape> given)
    : caches(limits.caches ? &*limits.caches : nullptr),
      shapes(std::move(given)) {
  if (caches)
    room = caches->evaluate(shapes);
  for (const IntegerLimits::Input &input : limits.inputs)
    inputs.push_back({input.argument, input.name,
                      llvm::ArrayRef(shapes[input.argument]).vec(),
                      listLimits(evaluateLimits(input.limits, shapes))});
}

Error SizedIntegerLimits::check(
    llvm::function_ref<int64_t(unsigned, size_t)> getValue) const {
  for (const Input &input : inputs)
    // A lambda with two references fits into a std::function without
    // allocation.
    if (Error error =
            checkLimits(input.limits, input.name, input.shape, [&](size_t at) {
              return getValue(input.argument, at);
            }))
      return error;
  return caches ? caches->check(room, shapes, getValue) : Error::success();
}

Error runner::checkIntegerInputs(mlir::func::FuncOp function,
                                 llvm::ArrayRef<Tensor> arguments) {
  llvm::Expected<Signature> signature = readSignature(function);
  if (!signature)
    return signature.takeError();
  std::vector<Shape> shapes;
  for (const Tensor &argument : arguments)
    shapes.emplace_back(argument.shape.begin(), argument.shape.end());
  return IntegerLimits(*signature)
      .check(shapes, [&](unsigned argument, size_t at) {
        return static_cast<int64_t>(arguments[argument].data()[at]);
      });
}
