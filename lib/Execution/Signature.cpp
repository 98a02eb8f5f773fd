//===- Signature.cpp - reads names and types from IR ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Execution/Signature.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Dialect/Block/UndefinedReads.h"
#include "parablock/Execution/Engine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include <optional>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Sets type and shape of `port`, whose name is already set.
static Error readType(Port &port, mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  std::optional<ElementType> element;
  if (tensor)
    element = getElementTypeOf(tensor.getElementType());
  if (!element) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return llvm::createStringError("'" + port.name +
                                   "': expected a ranked tensor of floats, "
                                   "signless integers or ui8, got " +
                                   text);
  }
  port.type = *element;
  port.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  return Error::success();
}

static Expected<Argument> readArgument(mlir::func::FuncOp function,
                                       unsigned index) {
  auto getName = [&](StringRef attribute) {
    return function.getArgAttrOfType<mlir::StringAttr>(index, attribute);
  };
  Argument argument;
  if (mlir::StringAttr input = getName(block::kInputAttr)) {
    argument.name = input.str();
  } else if (mlir::StringAttr parameter = getName(block::kParamAttr)) {
    argument.name = parameter.str();
    argument.isParameter = true;
  } else {
    llvm::raw_string_ostream(argument.name) << llvm::format("arg%02u", index);
  }
  if (Error error = readType(argument, function.getArgument(index).getType()))
    return error;

  auto names =
      function.getArgAttrOfType<mlir::ArrayAttr>(index, block::kDimsAttr);
  argument.hasNamedDims = static_cast<bool>(names);
  unsigned numDynamic = 0;
  for (auto [dim, size] : llvm::enumerate(argument.shape)) {
    argument.dims.emplace_back();
    if (!mlir::ShapedType::isDynamic(size))
      continue;
    // The dialect's verifier checks that each dynamic dimension has a name.
    argument.dims.back() =
        names ? mlir::cast<mlir::StringAttr>(names[numDynamic++]).str()
              : (argument.name + ".d" + Twine(dim)).str();
  }
  argument.init =
      function.getArgAttrOfType<block::InitAttr>(index, block::kInitAttr);
  return argument;
}

static Expected<Port> readResult(mlir::func::FuncOp function, unsigned index) {
  Port result;
  auto name =
      function.getResultAttrOfType<mlir::StringAttr>(index, block::kOutputAttr);
  auto gradient =
      function.getResultAttrOfType<mlir::StringAttr>(index, block::kGradAttr);
  auto saved =
      function.getResultAttrOfType<mlir::StringAttr>(index, block::kSavedAttr);
  result.name = name       ? name.str()
                : gradient ? "grad." + gradient.str()
                : saved    ? saved.str()
                           : ("out" + Twine(index)).str();
  result.isGradient = gradient != nullptr;
  if (Error error = readType(result, function.getResultTypes()[index]))
    return error;
  return result;
}

const Argument *Signature::lookupArgument(StringRef name) const {
  for (const Argument &argument : arguments)
    if (argument.name == name)
      return &argument;
  return nullptr;
}

Expected<Signature> runner::readSignature(mlir::func::FuncOp function) {
  if (failed(refuseUndefinedReads(function)))
    return llvm::make_error<DiagnosedError>();
  Signature signature;
  signature.function = function;
  auto inFunction = [&](const Twine &message) {
    return llvm::createStringError("function '" + function.getName() +
                                   "': " + message);
  };
  llvm::StringSet<> names;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Expected<Argument> argument = readArgument(function, i);
    if (!argument)
      return inFunction("argument " + llvm::toString(argument.takeError()));
    if (!names.insert(argument->name).second)
      return inFunction("two arguments are named '" + argument->name + "'");
    signature.arguments.push_back(std::move(*argument));
  }
  names.clear();
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    Expected<Port> result = readResult(function, i);
    if (!result)
      return inFunction("result " + llvm::toString(result.takeError()));
    if (!names.insert(result->name).second)
      return inFunction("two results are named '" + result->name + "'");
    signature.results.push_back(std::move(*result));
  }
  return signature;
}

bool runner::isPositionalName(StringRef name) {
  return name.consume_front("arg") && !name.empty() &&
         llvm::all_of(name, llvm::isDigit);
}

std::string runner::formatDims(ArrayRef<int64_t> shape) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os, [&](int64_t size) {
    if (mlir::ShapedType::isDynamic(size))
      os << "?";
    else
      os << size;
  });
  os << "]";
  return text;
}
