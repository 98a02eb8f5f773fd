//===- SdpaMix.cpp - what stands beside the softmax of attention ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaMatcher.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace parablock::raise;

/// alpha I + beta softmax - gamma C, with one factor for each head: I keeps a
/// query's own value, C is the mean over allowed keys.
bool SdpaMatcher::splitWeights(const Term &mixed) {
  if (mixed.node->op != Kind::Add && mixed.node->op != Kind::Mul)
    return false;
  mix.clear();
  Term softmax;
  Sum sum = getSum(graph, mixed);
  if (sum.constant != 0)
    return false;
  for (const Addend &addend : sum.addends) {
    Product product = getProduct(graph, addend.term);
    double sign = product.coefficient * addend.coefficient;
    Mixed part;
    for (const Factor &each : product.factors) {
      if (each.term.node->op == Kind::Softmax && each.exponent == 1)
        softmax = each.term;
      else if (each.term.node->source == Source::Weight && each.exponent == 1 &&
               !part.gain)
        part.gain = each.term;
      else if (each.term.node->source == Source::Constant)
        part.tables.push_back(each);
      else
        return false;
    }
    bool isSoftmax = part.tables.empty();
    if (!part.gain) {
      if (!isSoftmax || sign != 1)
        return false;
      continue;
    }
    if (isSoftmax ? sign != 1 : std::fabs(sign) != 1)
      return false;
    part.role = isSoftmax ? "beta" : sign == 1 ? "alpha" : "gamma";
    mix.push_back(part);
  }
  if (!softmax)
    return false;
  weights = softmax;
  return true;
}

/// The tables beside the softmax are the identity and the mean.
bool SdpaMatcher::checkMix() {
  for (auto [part, piece] : llvm::zip(mix, mixPieces)) {
    if (part.role == "beta")
      continue;
    std::vector<double> numbers(hidden.numbers.size(), 1);
    for (auto [k, factor] : llvm::enumerate(part.tables)) {
      std::optional<ScoreTable> table =
          readTable(piece + k, factor.term.node, factor.term.layout.getOffset(),
                    /*perHead=*/false);
      if (!table)
        return false;
      for (auto [number, each] : llvm::zip(numbers, table->numbers))
        number *= std::pow(each, factor.exponent);
    }
    for (int64_t i = 0; i < hidden.queries; ++i) {
      double seen = 0;
      for (int64_t j = 0; j < hidden.keys; ++j)
        seen += hidden.at(0, i, j) == 0;
      for (int64_t j = 0; j < hidden.keys; ++j) {
        double expected = part.role == "alpha"      ? i == j
                          : hidden.at(0, i, j) != 0 ? 0
                                                    : 1 / seen;
        if (!isClose(numbers[i * hidden.keys + j], expected))
          return false;
      }
    }
  }
  return true;
}
