//===- TypeRulesCodes.cpp - type rules of ops on codes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TypeRules.h"

using namespace mlir;
using namespace parablock::block;

Type parablock::block::createRows(Type like, int64_t width, Type elements) {
  auto tensor = dyn_cast_if_present<RankedTensorType>(like);
  if (!tensor || tensor.getRank() == 0 || width <= 0)
    return {};
  SmallVector<int64_t> shape(tensor.getShape());
  shape.back() = width;
  return RankedTensorType::get(shape,
                               elements ? elements : tensor.getElementType());
}

/// Returns the last dimension, or 0.
static int64_t getWidth(Type like) {
  auto tensor = dyn_cast_if_present<RankedTensorType>(like);
  return tensor && tensor.getRank() > 0 ? tensor.getShape().back() : 0;
}

void parablock::block::ruleGroupScales(Signature &s) {
  Type input = s.give("input");
  int64_t width = getWidth(input), group = s.integer("group", 0);
  bool divides = group > 0 && width % group == 0;
  Type f32 = input ? Float32Type::get(input.getContext()) : Type();
  s.result(createRows(input, divides ? width / group : 0, f32));
}

void parablock::block::ruleEncodeGroups(Signature &s) {
  Type input = s.give("input");
  s.give("scales");
  Type code = input ? IntegerType::get(input.getContext(), 8) : Type();
  s.result(createRows(input, getWidth(input), code));
}

void parablock::block::ruleDecodeGroups(Signature &s) {
  s.give("codes");
  s.give("scales");
  s.result({});
}

void parablock::block::ruleUnpackWeight(Signature &s) {
  s.give("codes");
  s.give("scales");
  s.give("zeros");
  s.result({});
}
