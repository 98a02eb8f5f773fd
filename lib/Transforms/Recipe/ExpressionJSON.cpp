//===- ExpressionJSON.cpp - expressions as recipes spell them -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Recipe/Expression.h"
#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::recipe;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

json::Value recipe::toJSON(const Expression &expression) {
  if (expression.operation == Operation::Source)
    return expression.source;
  json::Object object{{"op", getOperationName(expression.operation)}};
  auto numbers = [](llvm::ArrayRef<int64_t> values) {
    return json::Array(values);
  };
  StringRef dtype = getElementTypeKeyword(expression.type.element);
  switch (expression.operation) {
  case Operation::Splat:
    object["value"] = expression.value;
    object["dtype"] = dtype;
    object["shape"] = numbers(expression.type.shape);
    break;
  case Operation::Concat:
    object["dim"] = expression.dim;
    break;
  case Operation::Slice:
    object["offsets"] = numbers(expression.offsets);
    object["sizes"] = numbers(expression.type.shape);
    object["strides"] = numbers(expression.strides);
    break;
  case Operation::Reshape:
    object["shape"] = numbers(expression.type.shape);
    break;
  case Operation::Transpose:
    object["permutation"] = numbers(expression.permutation);
    break;
  case Operation::Broadcast:
    object["shape"] = numbers(expression.type.shape);
    object["dims"] = numbers(expression.permutation);
    break;
  case Operation::Map:
    object["function"] = getFunctionName(expression.function);
    object["dtype"] = dtype;
    break;
  case Operation::Convert:
  case Operation::FoldBias:
  case Operation::WeightSums:
  case Operation::BiasSum:
    object["dtype"] = dtype;
    break;
  case Operation::FoldGain:
    object["one_plus"] = expression.onePlus;
    break;
  case Operation::FoldScale:
    object["factor"] = expression.factor;
    break;
  case Operation::Reparam:
    object["skip"] = expression.skip;
    object["residual"] = expression.residual;
    break;
  case Operation::Source:
    break;
  }
  json::Array operands;
  for (const ExpressionPtr &operand : expression.operands)
    operands.push_back(operand ? toJSON(*operand) : json::Value(nullptr));
  if (!operands.empty())
    object["of"] = std::move(operands);
  return object;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::optional<ElementType> recipe::parseElementTypeKeyword(StringRef keyword) {
  for (unsigned i = 0; i <= static_cast<unsigned>(ElementType::Bool); ++i)
    if (getElementTypeKeyword(static_cast<ElementType>(i)) == keyword)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

static Error missing(StringRef key, StringRef what) {
  return createStringError("expected '" + key + "' to be " + what);
}

static Error read(const json::Object &object, StringRef key, int64_t &out) {
  std::optional<int64_t> value = object.getInteger(key);
  if (!value)
    return missing(key, "a whole number");
  out = *value;
  return Error::success();
}

static Error read(const json::Object &object, StringRef key, double &out) {
  std::optional<double> value = object.getNumber(key);
  if (!value)
    return missing(key, "a number");
  out = *value;
  return Error::success();
}

static Error read(const json::Object &object, StringRef key, bool &out) {
  std::optional<bool> value = object.getBoolean(key);
  if (!value)
    return missing(key, "true or false");
  out = *value;
  return Error::success();
}

static Error read(const json::Object &object, StringRef key,
                  llvm::SmallVector<int64_t, 4> &out) {
  const json::Array *values = object.getArray(key);
  if (!values)
    return missing(key, "an array of whole numbers");
  for (const json::Value &value : *values) {
    std::optional<int64_t> number = value.getAsInteger();
    if (!number)
      return missing(key, "an array of whole numbers");
    out.push_back(*number);
  }
  return Error::success();
}

static Error read(const json::Object &object, StringRef key, ElementType &out) {
  std::optional<StringRef> name = object.getString(key);
  if (!name)
    return missing(key, "the name of an element type");
  std::optional<ElementType> element = parseElementTypeKeyword(*name);
  if (!element)
    return createStringError("unknown element type '" + *name + "'");
  out = *element;
  return Error::success();
}

static Error read(const json::Object &object, StringRef key, Function &out) {
  std::optional<StringRef> name = object.getString(key);
  if (!name)
    return missing(key, "the name of a function");
  std::optional<Function> function = parseFunctionName(*name);
  if (!function)
    return createStringError("unknown function '" + *name + "'");
  out = *function;
  return Error::success();
}

Expected<TensorType> recipe::parseTensorType(const json::Object &object) {
  TensorType type;
  if (Error error = read(object, "dtype", type.element))
    return error;
  if (Error error = read(object, "shape", type.shape))
    return error;
  return type;
}

/// The fields that the operation has besides its operands.
static Error readFields(const json::Object &object, Expression &draft) {
  switch (draft.operation) {
  case Operation::Splat: {
    Expected<TensorType> type = parseTensorType(object);
    if (!type)
      return type.takeError();
    draft.type = *type;
    return read(object, "value", draft.value);
  }
  case Operation::Concat:
    return read(object, "dim", draft.dim);
  case Operation::Slice:
    if (Error error = read(object, "offsets", draft.offsets))
      return error;
    if (Error error = read(object, "sizes", draft.type.shape))
      return error;
    return read(object, "strides", draft.strides);
  case Operation::Reshape:
    return read(object, "shape", draft.type.shape);
  case Operation::Transpose:
    return read(object, "permutation", draft.permutation);
  case Operation::Broadcast:
    if (Error error = read(object, "shape", draft.type.shape))
      return error;
    return read(object, "dims", draft.permutation);
  case Operation::Map:
    if (Error error = read(object, "function", draft.function))
      return error;
    return read(object, "dtype", draft.type.element);
  case Operation::Convert:
  case Operation::FoldBias:
  case Operation::WeightSums:
  case Operation::BiasSum:
    return read(object, "dtype", draft.type.element);
  case Operation::FoldGain:
    return read(object, "one_plus", draft.onePlus);
  case Operation::FoldScale:
    return read(object, "factor", draft.factor);
  case Operation::Reparam:
    if (Error error = read(object, "skip", draft.skip))
      return error;
    return read(object, "residual", draft.residual);
  case Operation::Source:
    break;
  }
  return Error::success();
}

static Expected<ExpressionPtr> parseSource(StringRef name, TypeLookup lookup) {
  std::optional<TensorType> type = lookup(name);
  if (!type)
    return createStringError("unknown tensor '" + name + "'");
  Expression draft;
  draft.source = name.str();
  draft.type = *type;
  return makeExpression(std::move(draft));
}

Expected<ExpressionPtr> recipe::parseExpression(const json::Value &value,
                                                TypeLookup lookup) {
  if (std::optional<StringRef> name = value.getAsString())
    return parseSource(*name, lookup);
  const json::Object *object = value.getAsObject();
  if (!object)
    return createStringError(
        "expected the name of a tensor or an object with an 'op'");
  std::optional<StringRef> name = object->getString("op");
  if (!name)
    return missing("op", "the name of an operation");
  std::optional<Operation> operation = parseOperationName(*name);
  if (!operation || *operation == Operation::Source)
    return createStringError("unknown operation '" + *name + "'");

  Expression draft;
  draft.operation = *operation;
  if (Error error = readFields(*object, draft))
    return createStringError(*name + ": " + llvm::toString(std::move(error)));
  if (const json::Array *operands = object->getArray("of"))
    for (const json::Value &operand : *operands) {
      if (operand.getAsNull()) {
        draft.operands.push_back(nullptr);
        continue;
      }
      Expected<ExpressionPtr> parsed = parseExpression(operand, lookup);
      if (!parsed)
        return parsed.takeError();
      draft.operands.push_back(std::move(*parsed));
    }
  return makeExpression(std::move(draft));
}
