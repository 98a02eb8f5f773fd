//===- ParameterCounts.cpp - sums parameters by reader --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/ParameterCounts.h"

#include "ParameterParts.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

static uint64_t &getCount(ParameterCounts &counts, ModelPart part) {
  switch (part) {
  case ModelPart::Embedding:
    return counts.embedding;
  case ModelPart::Attention:
    return counts.attention;
  case ModelPart::Mlp:
    return counts.mlp;
  case ModelPart::Norm:
    return counts.norm;
  case ModelPart::Head:
    return counts.head;
  case ModelPart::Other:
    return counts.other;
  }
  llvm_unreachable("every part has its count");
}

static void add(ParameterCounts &counts, const ParameterRead &part) {
  auto increase = [&](uint64_t &count) {
    count = llvm::SaturatingAdd(count, part.elements);
  };
  increase(counts.total);
  increase(getCount(counts, part.part));
  bool isTable = part.role == ParameterRole::Matrix ||
                 part.role == ParameterRole::Position;
  if (isTable)
    increase(counts.matrices);
  if (part.role == ParameterRole::Position)
    increase(counts.positions);
  if (part.role == ParameterRole::Bias)
    increase(counts.biases);
}

FailureOr<FunctionParameters>
parablock::countParameters(FunctionOpInterface function) {
  FunctionParameters result;
  for (BlockArgument argument : function.getArguments()) {
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      block::kParamAttr);
    if (!name)
      continue;
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape())
      return function.emitError()
             << "expected parameter " << name << " to have a static shape, got "
             << argument.getType();
    for (const ParameterRead &part : findParts(argument)) {
      add(result.all, part);
      if (part.layer)
        add(result.layers[part.layer], part);
      else if (part.part == ModelPart::Norm)
        result.outerNorms =
            llvm::SaturatingAdd(result.outerNorms, part.elements);
    }
  }
  return result;
}
