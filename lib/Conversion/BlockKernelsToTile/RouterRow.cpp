//===- RouterRow.cpp - scores of a router's row ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RouterRow.h"

using namespace mlir;
using namespace parablock;

void RouterRow::fill(TileCode code, int64_t first, int64_t count,
                     Element element) {
  code.columns(code.index(0), code.index(count), [&](TileCode each, Value at) {
    store(each, element(each, at), first, at);
  });
}

void RouterRow::fillSoftmax(TileCode code, int64_t from, int64_t to,
                            int64_t count) {
  Value most =
      reduce(code, tile::Reduction::Max, count,
             [&](TileCode each, Value at) { return load(each, from, at); });
  auto power = [&](TileCode each, Value at) {
    return each.exp(each.sub(load(each, from, at), most));
  };
  Value sum = reduce(code, tile::Reduction::Add, count, power);
  fill(code, to, count,
       [&](TileCode each, Value at) { return each.div(power(each, at), sum); });
}

void RouterRow::fillScores(TileCode code, Value logits, Value row,
                           int64_t scaled, int64_t scores) {
  fill(code, scaled, experts, [&](TileCode each, Value expert) {
    return each.scale(each.load(logits, row, expert),
                      form.getLogitScaleValue());
  });
  if (form.getScore() == block::RouterScore::Softmax)
    fillSoftmax(code, scaled, scores, experts);
  else
    fill(code, scores, experts, [&](TileCode each, Value expert) {
      Value x = load(each, scaled, expert);
      if (form.getScore() == block::RouterScore::Sigmoid)
        x = each.activate(block::Activation::Sigmoid, x);
      if (form.getScore() == block::RouterScore::RootSoftplus)
        x = each.sqrt(each.activate(block::Activation::Softplus, x));
      return x;
    });
}

Value RouterRow::createWeight(TileCode code, int64_t scaled, int64_t scores,
                              Value expert) {
  bool isScore = form.getWeight() == block::RouterWeight::Score;
  Value weight = load(code, isScore ? scores : scaled, expert);
  if (form.getWeight() == block::RouterWeight::Sigmoid)
    weight = code.activate(block::Activation::Sigmoid, weight);
  return weight;
}

std::pair<Value, Value> RouterRow::finishWeights(TileCode code, int64_t first) {
  if (form.getWeight() == block::RouterWeight::Softmax)
    fillSoftmax(code, first, first, slots);
  if (form.getDivideBy() == block::WeightSum::One)
    return {};
  Value sum = sumNumbers(code, first, slots);
  Value eps = code.f32(form.getEpsValue());
  return {sum, form.getDivideBy() == block::WeightSum::Added
                   ? code.add(sum, eps)
                   : code.max(sum, eps)};
}
