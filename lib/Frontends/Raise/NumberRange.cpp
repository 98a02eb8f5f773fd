//===- NumberRange.cpp - computes ranges of terms -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NumberRange.h"

#include "TermMap.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace parablock::raise;

/// Returns the range of `numbers`; none if infinities produced a
/// NaN.
static std::optional<Range> getHull(ArrayRef<double> numbers) {
  if (llvm::any_of(numbers, [](double number) { return std::isnan(number); }))
    return std::nullopt;
  return Range(*llvm::min_element(numbers), *llvm::max_element(numbers));
}

/// Returns the range of an integer type.
static std::optional<Range> getTypeRange(mlir::Type type) {
  if (type.isInteger(1))
    return Range(0, 1);
  if (!type.isIntOrIndex())
    return std::nullopt;
  double most =
      std::exp2(type.isIndex() ? 63 : type.getIntOrFloatBitWidth() - 1);
  return Range(-most, most);
}

/// Returns the range of sums of `range` times constants, with one row of
/// constants for each sum.
static std::optional<Range> getSumRange(const Range &range, const Term &table,
                                        int64_t rows) {
  if (table.node->source != Source::Constant)
    return std::nullopt;
  Range all(0, 0);
  for (int64_t row = 0, depth = table.getSize() / rows; row < rows; ++row) {
    Range sum(0, 0);
    for (int64_t i = 0; i < depth; ++i) {
      std::optional<double> number = evaluateAt(table, row * depth + i);
      if (!number)
        return std::nullopt;
      sum.first += std::min(*number * range.first, *number * range.second);
      sum.second += std::max(*number * range.first, *number * range.second);
    }
    all = {std::min(all.first, sum.first), std::max(all.second, sum.second)};
  }
  return all;
}

namespace {
/// Computes ranges of terms and their operands, each once.
class RangeFinder {
public:
  explicit RangeFinder(Graph &graph) : graph(graph) {}

  std::optional<Range> find(const Term &term) {
    if (const std::optional<Range> *found = known.find(term))
      return *found;
    std::optional<Range> range = compute(term);
    known.insert(term, range);
    return range;
  }

private:
  std::optional<Range> compute(const Term &term);

  Graph &graph;
  TermMap<std::optional<Range>> known;
};
} // namespace

std::optional<Range> RangeFinder::compute(const Term &term) {
  const Node *node = term.node;
  if (node->source == Source::Constant) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    bool areKnown = forEachNumber(term, [&](double number) {
      low = std::min(low, number);
      high = std::max(high, number);
      return !std::isnan(number);
    });
    return areKnown ? getHull({low, high}) : std::nullopt;
  }
  auto ofOperand = [&](unsigned k) { return find(graph.getOperand(term, k)); };
  switch (node->op) {
  case Kind::Leaf:
    return getTypeRange(getElementTypeOrSelf(node->given));
  case Kind::Equal:
  case Kind::NotEqual:
  case Kind::Less:
  case Kind::LessEqual:
  case Kind::And:
  case Kind::Or:
  case Kind::Xor:
    return Range(0, 1);
  case Kind::Add:
  case Kind::Mul:
  case Kind::Select: {
    auto a = ofOperand(node->op == Kind::Select ? 1 : 0);
    auto b = ofOperand(node->op == Kind::Select ? 2 : 1);
    if (!a || !b)
      return std::nullopt;
    if (node->op == Kind::Select)
      return Range(std::min(a->first, b->first),
                   std::max(a->second, b->second));
    double corners[] = {a->first * b->first, a->first * b->second,
                        a->second * b->first, a->second * b->second};
    if (node->op == Kind::Add)
      return getHull({a->first + b->first, a->second + b->second});
    return getHull(corners);
  }
  case Kind::Round:
  case Kind::ToInt:
  case Kind::Nearest:
    return ofOperand(0);
  case Kind::ReduceMax:
    return find(node->operands[0]);
  case Kind::ReduceSum: {
    auto a = find(node->operands[0]);
    double width = static_cast<double>(node->width);
    return a ? std::optional(Range(a->first * width, a->second * width)) : a;
  }
  case Kind::Linear: {
    auto a = find(node->operands[0]);
    return a && !node->getRole("bias")
               ? getSumRange(*a, node->operands[1], node->width)
               : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

std::optional<Range> parablock::raise::getRange(Graph &graph,
                                                const Term &term) {
  return RangeFinder(graph).find(term);
}
