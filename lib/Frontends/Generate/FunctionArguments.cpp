//===- FunctionArguments.cpp - adds arguments with their attributes -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FunctionArguments.h"

#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include <cstdio>
#include <cstdlib>

using namespace mlir;

namespace parablock::generate {

FunctionArguments::FunctionArguments(func::FuncOp function, Type elementType)
    : function(function), elementType(elementType) {}

Value FunctionArguments::addArgument(Type type,
                                     ArrayRef<NamedAttribute> named) {
  attributes.push_back(DictionaryAttr::get(function.getContext(), named));
  return function.getBody().front().addArgument(type, function.getLoc());
}

/// Four digits are plenty for a distribution, and keep the IR readable.
static FloatAttr getShortReal(MLIRContext *context, double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return block::getReal(context, std::strtod(text, nullptr));
}

NamedAttribute FunctionArguments::getInit(const DrawRule &rule) {
  MLIRContext *context = function.getContext();
  FloatAttr mean, deviation;
  if (rule.mean != 0 || rule.distribution == Distribution::Constant)
    mean = getShortReal(context, rule.mean);
  if (rule.distribution != Distribution::Constant)
    deviation = getShortReal(context, rule.deviation);
  auto kind = block::InitKind::Normal;
  if (rule.distribution == Distribution::Uniform)
    kind = block::InitKind::Uniform;
  else if (rule.distribution == Distribution::Constant)
    kind = block::InitKind::Constant;
  return {StringAttr::get(context, block::kInitAttr),
          block::InitAttr::get(context, kind, mean, deviation)};
}

Value FunctionArguments::addInput(StringRef name, RankedTensorType type,
                                  ArrayRef<StringRef> dims,
                                  const DrawRule *rule) {
  Builder builder(function.getContext());
  SmallVector<NamedAttribute> named = {
      builder.getNamedAttr(block::kInputAttr, builder.getStringAttr(name))};
  if (!dims.empty())
    named.push_back(
        builder.getNamedAttr(block::kDimsAttr, builder.getStrArrayAttr(dims)));
  if (rule)
    named.push_back(getInit(*rule));
  return addArgument(type, named);
}

void FunctionArguments::refuse(const Twine &message) {
  hadError = true;
  function.emitError() << message;
}

Value FunctionArguments::getParameter(StringRef name, RankedTensorType type,
                                      const DrawRule &rule) {
  Value &known = parameters[name];
  if (known && known.getType() == type)
    return known;
  if (known) {
    hadError = true;
    function.emitError() << "expected parameter '" << name << "' to be "
                         << known.getType() << " everywhere, got " << type;
  }
  Builder builder(function.getContext());
  known = addArgument(type, {builder.getNamedAttr(block::kParamAttr,
                                                  builder.getStringAttr(name)),
                             getInit(rule)});
  return known;
}

LogicalResult FunctionArguments::finish(TypeRange results,
                                        ArrayRef<StringRef> outputNames) {
  Builder builder(function.getContext());
  Block &body = function.getBody().front();
  function.setType(builder.getFunctionType(body.getArgumentTypes(), results));
  function.setArgAttrsAttr(builder.getArrayAttr(attributes));
  for (auto [index, name] : llvm::enumerate(outputNames))
    function.setResultAttr(index, block::kOutputAttr,
                           builder.getStringAttr(name));
  return failure(hadError);
}

} // namespace parablock::generate
