//===- Expression.cpp - how a packed tensor is made -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Recipe/Expression.h"

#include "CheckExpression.h"
#include "parablock/Support/SafeTensors.h"

using namespace parablock;
using namespace parablock::recipe;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// In the order of the enumeration.
static const OperationInfo operations[] = {{"source", 0, 0, 0},
                                           {"splat", 0, 0, 0},
                                           {"concat", 1, 0, anyNumber},
                                           {"slice", 1, 0, 1},
                                           {"reshape", 1, 0, 1},
                                           {"transpose", 1, 0, 1},
                                           {"broadcast", 1, 0, 1},
                                           {"convert", 1, 0, 1},
                                           {"fold_gain", 2, 0, 2},
                                           {"fold_bias", 1, 2, 3},
                                           {"fold_scale", 1, 1, 2},
                                           {"weight_sums", 1, 0, 1},
                                           {"bias_sum", 1, 0, anyNumber},
                                           {"reparam", 1, 1, 2},
                                           {"map", 1, 0, 2}};

namespace {
struct FunctionInfo {
  StringRef name;
  unsigned numOperands;
};
} // namespace

/// In the order of the enumeration.
static const FunctionInfo functions[] = {
    {"add", 2},    {"subtract", 2},   {"multiply", 2},
    {"divide", 2}, {"negate", 1},     {"sqrt", 1},
    {"rsqrt", 1},  {"reciprocal", 1}, {"exp", 1}};

StringRef recipe::getFunctionName(Function function) {
  return functions[static_cast<unsigned>(function)].name;
}

unsigned recipe::getNumOperands(Function function) {
  return functions[static_cast<unsigned>(function)].numOperands;
}

std::optional<Function> recipe::parseFunctionName(StringRef name) {
  for (unsigned i = 0; i < std::size(functions); ++i)
    if (functions[i].name == name)
      return static_cast<Function>(i);
  return std::nullopt;
}

const OperationInfo &recipe::getInfo(Operation operation) {
  return operations[static_cast<unsigned>(operation)];
}

StringRef recipe::getOperationName(Operation operation) {
  return getInfo(operation).name;
}

std::optional<Operation> recipe::parseOperationName(StringRef name) {
  for (unsigned i = 0; i < std::size(operations); ++i)
    if (operations[i].name == name)
      return static_cast<Operation>(i);
  return std::nullopt;
}

std::string recipe::formatType(const TensorType &type) {
  return (getElementTypeKeyword(type.element) + " " + formatShape(type.shape))
      .str();
}

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

static std::string describeCount(const OperationInfo &info) {
  std::string least = std::to_string(info.minOperands);
  if (info.maxOperands == info.minOperands)
    return least;
  if (info.maxOperands == anyNumber)
    return "at least " + least;
  return least + " to " + std::to_string(info.maxOperands);
}

/// As many operands as the operation takes, none of the needed ones missing.
static Error checkOperands(const Expression &draft) {
  const OperationInfo &info = getInfo(draft.operation);
  size_t count = draft.operands.size();
  if (count < info.minOperands || count > info.maxOperands)
    return llvm::createStringError("expected " + describeCount(info) +
                                   " operands, got " + llvm::Twine(count));
  for (size_t i = 0; i < count; ++i)
    if (!draft.operands[i] &&
        (i < info.minOperands || i >= info.minOperands + info.numOptional))
      return llvm::createStringError("expected operand " + llvm::Twine(i) +
                                     " to be there, got null");
  return Error::success();
}

Expected<ExpressionPtr> recipe::makeExpression(Expression draft) {
  auto fail = [&](Error error) {
    return llvm::createStringError(getOperationName(draft.operation) + ": " +
                                   llvm::toString(std::move(error)));
  };
  if (Error error = checkOperands(draft))
    return fail(std::move(error));
  // An operand that may be missing has its place all the same.
  const OperationInfo &info = getInfo(draft.operation);
  if (info.numOptional)
    draft.operands.resize(info.maxOperands);
  if (Error error = inferType(draft))
    return fail(std::move(error));
  if (!countBytes(draft.type.element, draft.type.shape))
    return fail(llvm::createStringError(
        "expected a size that 64 bits can count, got shape " +
        formatShape(draft.type.shape)));

  draft.depth = draft.numNodes = 1;
  for (const ExpressionPtr &operand : draft.operands)
    if (operand) {
      draft.depth = std::max(draft.depth, operand->depth + 1);
      draft.numNodes += operand->numNodes;
      if (draft.depth > maxDepth || draft.numNodes > maxNodes)
        return llvm::createStringError("expected a tree of at most " +
                                       llvm::Twine(maxDepth) + " levels and " +
                                       llvm::Twine(maxNodes) + " operations");
    }
  return std::make_shared<const Expression>(std::move(draft));
}

void recipe::forEachSource(const Expression &expression,
                           llvm::function_ref<void(const Expression &)> visit) {
  if (expression.operation == Operation::Source)
    return visit(expression);
  for (const ExpressionPtr &operand : expression.operands)
    if (operand)
      forEachSource(*operand, visit);
}
