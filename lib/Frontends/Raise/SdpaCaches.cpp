//===- SdpaCaches.cpp - matches updated caches and their masks ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// New keys replace rows of a cache, starting at a row given by an input. This
// is a cache of blocks if masks hide the rows after a query's own, counted from
// the same number. Any other mask may have another meaning in a later call: it
// stays a mask.
//
//===----------------------------------------------------------------------===//

#include "SdpaCaches.h"

#include "Algebra.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

bool parablock::raise::isCount(const Term &term) {
  if (term.node->op != Kind::Leaf || term.node->size != 1 ||
      !isa<mlir::BlockArgument>(term.node->given))
    return false;
  mlir::Type element = getElementTypeOrSelf(term.node->given);
  return element.isInteger(64) || element.isInteger(32);
}

namespace {
/// A number for each query and key, and `sign` times a count.
struct PastDistance {
  std::vector<double> numbers;
  const Node *count = nullptr;
  double sign = 0;

  bool add(Graph &graph, const Term &side, double factor);
};
} // namespace

bool PastDistance::add(Graph &graph, const Term &side, double factor) {
  Sum sum = getSum(graph, side);
  int64_t scores = numbers.size();
  for (double &number : numbers)
    number += factor * sum.constant;
  for (const Addend &addend : sum.addends) {
    double scale = factor * addend.coefficient;
    if (isCount(addend.term)) {
      if (count && count != addend.term.node)
        return false;
      count = addend.term.node;
      sign += scale;
      continue;
    }
    if (addend.term.node->source != Source::Constant)
      return false;
    for (int64_t i = 0, size = addend.term.getSize(); i < size; ++i) {
      std::optional<double> own = evaluateAt(addend.term, i);
      // All batch rows have the same.
      if (!own || *own != evaluateAt(addend.term, i % scores))
        return false;
      if (i < scores)
        numbers[i] += scale * *own;
    }
  }
  return true;
}

bool parablock::raise::hidesUnwritten(Graph &graph, const Term &condition,
                                      bool hidesWhere, const Node *count,
                                      int64_t queries, int64_t keys) {
  const Node *node = condition.node;
  if (node->op == Kind::Xor)
    for (unsigned k : {0, 1})
      if (getSplat(node->operands[k]) == 1.0)
        return hidesUnwritten(graph, graph.getOperand(condition, 1 - k),
                              !hidesWhere, count, queries, keys);
  if (node->op != Kind::Less && node->op != Kind::LessEqual)
    return false;
  // Keys are read where `distance` is above 0: integers.
  PastDistance distance;
  distance.numbers.assign(queries * keys, 0);
  double sign = hidesWhere ? -1 : 1;
  if (!distance.add(graph, graph.getOperand(condition, 0), -sign) ||
      !distance.add(graph, graph.getOperand(condition, 1), sign) ||
      distance.count != count)
    return false;
  // A window would make a ring of blocks of it, which has no end.
  double orEqual = (node->op == Kind::LessEqual) != hidesWhere ? 1 : 0;
  if (distance.sign != 1)
    return false;
  for (int64_t i = 0; i < queries; ++i)
    for (int64_t j = 0; j < keys; ++j)
      if (distance.numbers[i * keys + j] + orEqual != i - j + 1)
        return false;
  return true;
}
