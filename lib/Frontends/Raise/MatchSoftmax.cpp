//===- MatchSoftmax.cpp - matches softmax over rows -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "NumberRange.h"
#include "Recognise.h"
#include "TermMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>

using namespace llvm;
using namespace parablock::raise;

/// True where `term` has one number for each row of `width` elements.
static bool isOfRows(const Term &term, int64_t width) {
  int64_t rows = term.getSize() / width;
  std::optional<Aligned> aligned =
      align({term.layout, Layout({{rows, 1}, {width, 0}})});
  if (!aligned)
    return false;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    if (aligned->strides[1][d] == 0 && aligned->strides[0][d] != 0)
      return false;
  return true;
}

/// Returns whether `term` may select a number that hides whole rows, whose
/// weights then are NaN, or 0 with such a rule in the graph.
static bool mayHideRows(Graph &graph, const Term &given) {
  constexpr double kHides = 1e9;
  TermSet seen;
  SmallVector<Term> open = {given};
  while (!open.empty()) {
    Term term = open.pop_back_val();
    const Node *node = term.node;
    if (!seen.insert(term))
      continue;
    if (node->source == Source::Constant) {
      auto range = getRange(graph, term);
      if (!range || range->first < -kHides || range->second > kHides)
        return true;
      continue;
    }
    if (!node->isElementwise())
      continue;
    for (unsigned k = node->op == Kind::Select ? 1 : 0;
         k < node->operands.size(); ++k)
      if (Term operand = graph.getOperand(term, k))
        open.push_back(operand);
  }
  return false;
}

/// Returns `scores` of `scores - max(scores)`: the maximum cancels, like every
/// number that a whole row shares. Sets `common` to that number.
static Term dropMaximum(Graph &graph, const Term &exponent, int64_t width,
                        Term &common) {
  if (exponent.node->op != Kind::Add)
    return exponent;
  for (unsigned k : {0, 1}) {
    Term part = graph.getOperand(exponent, k);
    Term rest = graph.getOperand(exponent, 1 - k);
    if (part && rest && isOfRows(part, width) && !mayHideRows(graph, part)) {
      common = part;
      return rest;
    }
  }
  return exponent;
}

/// Matches exp(s - s) / exp(s - s) or exp(s) / exp(s): the maximum and the sum
/// over one position are that position, and folders remove them.
static Term matchSingleSoftmax(Graph &graph, const Node *node) {
  Term root{node, Layout::identity(node->size)};
  auto strip = [&](const Term &term) {
    return term ? stripRounding(graph, term) : term;
  };
  Term exponential;
  for (unsigned k : {0, 1}) {
    Term above = strip(graph.getOperand(root, k));
    Term below = strip(graph.getOperand(root, 1 - k));
    if (above && below && above.node->op == Kind::Exp &&
        below.node->op == Kind::Power && below.node->value == -1 &&
        strip(graph.getOperand(below, 0)) == above)
      exponential = above;
  }
  Term scores;
  if (exponential)
    scores = strip(graph.getOperand(exponential, 0));
  if (!scores || scores.node->source != Source::Data)
    return {};
  if (scores.node->op == Kind::Add &&
      llvm::all_of(getSum(graph, scores).addends, [](const Addend &addend) {
        return addend.coefficient == 0;
      }))
    // The node of the scores is older than that of the maximum times -1.
    scores = strip(graph.getOperand(scores, 0));
  if (!scores)
    return {};
  graph.found("an exponential divided by itself");
  Node softmax;
  softmax.op = Kind::Softmax;
  softmax.size = node->size;
  softmax.width = 1;
  softmax.operands = {scores};
  return graph.make(softmax);
}

namespace {
/// The divisor of exponentials: their sum, and with it the exponential of a
/// sink, which is null for none. Both are read where the quotient is.
struct SumDivisor {
  Term sum, sink;
};
} // namespace

static std::optional<SumDivisor> readDivisor(Graph &graph,
                                             const Term &divisor) {
  if (divisor.node->op == Kind::ReduceSum)
    return SumDivisor{divisor, {}};
  if (divisor.node->op != Kind::Add)
    return std::nullopt;
  for (unsigned k : {0, 1}) {
    Term sum = graph.getOperand(divisor, k);
    Term sink = graph.getOperand(divisor, 1 - k);
    if (sum && sink && sum.node->op == Kind::ReduceSum &&
        sink.node->op == Kind::Exp)
      return SumDivisor{sum, sink};
  }
  return std::nullopt;
}

namespace {
/// Scores of rows without the numbers that whole rows share, and these numbers.
struct BareScores {
  Term scores;
  SmallVector<Term, 1> common;
};
} // namespace

/// Takes all numbers that whole rows share off `exponent`, which is read by
/// rows.
static BareScores dropMaxima(Graph &graph, const Term &exponent,
                             int64_t width) {
  BareScores bare = {stripRounding(graph, exponent), {}};
  while (true) {
    Term common;
    Term next = dropMaximum(graph, bare.scores, width, common);
    if (!common)
      return bare;
    bare.scores = stripRounding(graph, next);
    bare.common.push_back(common);
  }
}

/// Returns the other addend of `sum`; null unless `addend` is one of its two.
static Term subtract(Graph &graph, const Term &sum, const Term &addend) {
  if (sum.node->op == Kind::Add)
    for (unsigned k : {0, 1})
      if (graph.getOperand(sum, k) == addend)
        return graph.getOperand(sum, 1 - k);
  return {};
}

namespace {
/// Exponentials divided by the sum of their rows.
struct Shares {
  Term exponential;
  SumDivisor divisor;
  double factor;
};
} // namespace

/// Finds the exponentials of a softmax, and the sum that divides them.
static std::optional<Shares> findShares(Graph &graph, const Term &root) {
  Product product = getProduct(graph, root);
  int above = product.find([](const Factor &factor) {
    return factor.exponent == 1 && factor.term.node->op == Kind::Exp;
  });
  std::optional<SumDivisor> divisor;
  int below = product.find([&](const Factor &factor) {
    if (factor.exponent == -1 && !divisor)
      divisor = readDivisor(graph, factor.term);
    return factor.exponent == -1 && divisor;
  });
  if (above < 0 || below < 0)
    return graph.wanted("an exponential divided by a sum");
  if (product.factors.size() != 2)
    return graph.wanted("nothing else beside an exponential and a sum",
                        product.factors[above].term);
  Term exponential = product.factors[above].term;
  const Term &sum = divisor->sum;
  Term inner = stripRounding(graph, sum.node->operands[0]);
  if (inner.node != exponential.node)
    return graph.wanted("a sum of the same exponentials", inner);
  graph.found("exponentials divided by their sum");
  if (!isRowOfReduction(exponential.layout, sum.layout, inner.layout,
                        sum.node->width))
    return graph.wanted("each divided by the sum of its own row", sum);
  return Shares{exponential, *divisor, product.coefficient};
}

/// exp(s - max s) / sum exp(s - max s), over the positions summed over. Beside
/// the sum there may be the exponential of a sink, a logit without a value.
Term parablock::raise::matchSoftmax(Graph &graph, const Node *node) {
  if (Term single = matchSingleSoftmax(graph, node))
    return single;
  std::optional<Shares> shares =
      findShares(graph, {node, Layout::identity(node->size)});
  if (!shares)
    return {};
  const Term &exponential = shares->exponential, &sum = shares->divisor.sum,
             &divisorSink = shares->divisor.sink;
  // Rows first, then the positions that are summed over.
  SmallVector<Layout> layouts = {exponential.layout, sum.layout};
  if (divisorSink)
    layouts.push_back(divisorSink.layout);
  std::optional<Aligned> aligned = align(layouts);
  if (!aligned)
    return graph.wanted("a sink that can be read by rows", divisorSink);
  SmallVector<unsigned> order, keys;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    (aligned->strides[1][d] != 0 ? order : keys).push_back(d);
  order.append(keys);
  auto readByRows = [&](const Term &term, unsigned number) {
    Term byRows = graph.read(
        {term.node, aligned->select(number, order, term.layout.getOffset())},
        Layout::identity(node->size));
    return byRows ? graph.getOperand(byRows, 0) : Term();
  };
  Term exponent = readByRows(exponential, 0);
  if (!exponent)
    return graph.wanted("an exponent that can be read by rows", exponential);
  int64_t width = sum.node->width;
  Term sink;
  if (divisorSink) {
    sink = readByRows(divisorSink, 2);
    if (!sink || !isOfRows(sink, width))
      return graph.wanted("one sink for each row", divisorSink);
  }
  BareScores bare = dropMaxima(graph, exponent, width);
  Term logit = sink;
  for (const Term &common : bare.common)
    logit = logit ? subtract(graph, logit, common) : logit;
  if (sink && (!logit || logit.node->source == Source::Data))
    return graph.wanted("a sink less the same maximum as the scores", sink);
  Node softmax;
  softmax.op = Kind::Softmax;
  softmax.size = node->size;
  softmax.width = width;
  softmax.operands = {bare.scores};
  if (sink)
    softmax.addRole("sink",
                    graph.read(logit, Layout({{node->size / width, width}})));
  SmallVector<unsigned> all = order;
  llvm::sort(all);
  Term result = graph.read(graph.make(softmax), aligned->locate(all, order));
  return result ? graph.scale(result, shares->factor) : Term();
}

/// select(all scores of the row are -inf, 0, softmax): rows without a key.
Term parablock::raise::matchSafeSoftmax(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  Term condition = graph.getOperand(whole, 0);
  bool isNegated = false;
  if (condition.node->op == Kind::Xor)
    for (unsigned k : {0, 1})
      if (getSplat(condition.node->operands[k]) == 1.0) {
        condition = graph.getOperand(condition, 1 - k);
        isNegated = true;
        break;
      }
  // A row of one score is tested directly.
  bool isSingle =
      condition.node->op == Kind::Equal || condition.node->op == Kind::NotEqual;
  bool isAny = condition.node->op == Kind::ReduceOr ||
               condition.node->op == Kind::NotEqual;
  if (!isAny && !isSingle && condition.node->op != Kind::ReduceAnd)
    return graph.wanted("a condition of whole rows", condition);
  // All are -inf, or not any is something else.
  bool saysHidden = isAny == isNegated;
  Term zero = graph.getOperand(whole, saysHidden ? 1 : 2);
  Term softmax =
      stripRounding(graph, graph.getOperand(whole, saysHidden ? 2 : 1));
  if (getSplat(zero) != 0.0 || softmax.node->op != Kind::Softmax ||
      (isSingle ? 1 : condition.node->width) != softmax.node->width)
    return graph.wanted("0 in the place of rows of a softmax", softmax);
  graph.found("rows of a softmax that are made 0");
  Term test = isSingle ? condition : condition.node->operands[0];
  if (isAny != (test.node->op == Kind::NotEqual || test.node->op == Kind::Xor))
    return graph.wanted("a test of all scores of a row", test);
  if (test.node->op == Kind::Xor) {
    test = graph.getOperand(test, getSplat(test.node->operands[0]) ? 1 : 0);
    if (test.node->op != Kind::Equal)
      return graph.wanted("scores compared with -inf", test);
  }
  if (test.node->op != Kind::Equal && test.node->op != Kind::NotEqual)
    return graph.wanted("scores compared with -inf", test);
  double lowest = -std::numeric_limits<double>::infinity();
  Term tested;
  for (unsigned k : {0, 1})
    if (getSplat(test.node->operands[k]) == lowest)
      tested = graph.getOperand(test, 1 - k);
  if (!tested)
    return graph.wanted("scores compared with -inf", test);
  // The scores of the same rows, read in the softmax's order.
  const Term &scores = softmax.node->operands[0];
  Term own = graph.read(scores, softmax.layout);
  bool isOwn =
      own && own.node == tested.node &&
      (isSingle ? own.layout == tested.layout
                : isRowOfReduction(own.layout, condition.layout, tested.layout,
                                   condition.node->width));
  if (!isOwn)
    return graph.wanted("a test of the scores of the same softmax", tested);
  Node safe = *softmax.node;
  safe.value = 1;
  return graph.read(graph.make(safe), softmax.layout);
}

namespace {
/// The scores of a row less their maximum, whose exponentials are summed up,
/// and that maximum; both are read by rows, the maximum null for none.
struct RowOfScores {
  Term scores, largest;
};
} // namespace

static std::optional<RowOfScores> readScores(Graph &graph, const Term &sum) {
  Term exponentials = stripRounding(graph, sum.node->operands[0]);
  if (exponentials.node->op != Kind::Exp)
    return std::nullopt;
  Term exponent = graph.getOperand(exponentials, 0);
  if (!exponent)
    return std::nullopt;
  BareScores bare = dropMaxima(graph, exponent, sum.node->width);
  if (bare.common.empty())
    return RowOfScores{bare.scores, {}};
  Product negated = getProduct(graph, bare.common.front());
  if (bare.common.size() != 1 || negated.coefficient != -1 ||
      negated.factors.size() != 1 || negated.factors[0].exponent != 1)
    return std::nullopt;
  return RowOfScores{bare.scores, negated.factors[0].term};
}

namespace {
/// Parts of the share of a softmax beside a sink: the sum of exponentials, the
/// maximum that they are less, null for none, and the sink.
struct Share {
  Term total, largest, sink;
};
} // namespace

/// Takes apart a sum of a sink, a maximum and nothing else, with these signs.
static bool readLogits(const Sum &sum, double sinkSign, Share &share) {
  for (const Addend &addend : sum.addends) {
    bool isSink = addend.term.node->source != Source::Data;
    Term &part = isSink ? share.sink : share.largest;
    if (part || addend.coefficient != (isSink ? sinkSign : -sinkSign))
      return false;
    part = addend.term;
  }
  return share.sink && sum.constant == 0;
}

/// sigmoid(log(sum) + m - z), or 1 / (1 + exp(z - m) / sum).
static std::optional<Share> readShare(Graph &graph, const Factor &factor) {
  Share share;
  if (factor.exponent == 1 && factor.term.node->op == Kind::Sigmoid) {
    Term argument = graph.getOperand(factor.term, 0);
    if (!argument)
      return std::nullopt;
    Sum sum = getSum(graph, argument);
    int logarithm = sum.find([](const Addend &addend) {
      return addend.coefficient == 1 && addend.term.node->op == Kind::Log;
    });
    if (logarithm < 0)
      return std::nullopt;
    share.total = graph.getOperand(sum.addends[logarithm].term, 0);
    if (!readLogits(sum.without(logarithm), /*sinkSign=*/-1, share))
      return std::nullopt;
  } else if (factor.exponent == -1 && factor.term.node->op == Kind::Add) {
    Sum sum = getSum(graph, factor.term);
    if (sum.constant != 1 || sum.addends.size() != 1 ||
        sum.addends[0].coefficient != 1)
      return std::nullopt;
    Product quotient = getProduct(graph, sum.addends[0].term);
    Term exponential;
    for (const Factor &each : quotient.factors)
      if (each.exponent == 1 && each.term.node->op == Kind::Exp)
        exponential = each.term;
      else if (each.exponent == -1)
        share.total = each.term;
    if (!exponential || quotient.coefficient != 1 ||
        quotient.factors.size() != 2)
      return std::nullopt;
    Term argument = graph.getOperand(exponential, 0);
    if (!argument ||
        !readLogits(getSum(graph, argument), /*sinkSign=*/1, share))
      return std::nullopt;
  }
  if (!share.total)
    return std::nullopt;
  share.total = stripRounding(graph, share.total);
  if (share.total.node->op != Kind::ReduceSum)
    return std::nullopt;
  return share;
}

/// An sdpa times the share of its softmax beside a sink for each head.
Term parablock::raise::matchSinkFactor(Graph &graph, const Node *node) {
  Term root{node, Layout::identity(node->size)};
  Product product = getProduct(graph, root);
  int attended = product.find([](const Factor &factor) {
    return factor.exponent == 1 && factor.term.node->op == Kind::Sdpa;
  });
  if (attended < 0 || product.factors.size() != 2)
    return graph.wanted("an attention times one factor");
  const Term &heads = product.factors[attended].term;
  Term weights = graph.getWeights(heads.node);
  if (!weights || heads.node->getRole("sinks"))
    return graph.wanted("an attention without a sink", heads);
  std::optional<Share> found = readShare(graph, product.factors[1 - attended]);
  if (!found || found->total.node->width != weights.node->width)
    return graph.wanted("the share of a sum of exponentials beside a sink",
                        product.factors[1 - attended].term);
  const auto &[total, largest, sink] = *found;

  // The rows that the sum is of are those of the attention's softmax.
  std::optional<RowOfScores> row = readScores(graph, total);
  std::optional<Layout> own = compose(heads.layout, weights.layout);
  if (!row || !own || !(row->scores == weights.node->operands[0]) ||
      !(*own == total.layout) || !row->largest != !largest)
    return graph.wanted("a sum over the attention's own scores", total);
  if (largest) {
    int64_t width = weights.node->width;
    std::optional<Layout> first = compose(
        Layout({{weights.node->size / width, width}}), row->largest.layout);
    std::optional<Layout> expected =
        first ? compose(*own, *first) : std::nullopt;
    if (largest.node != row->largest.node || !expected ||
        !(largest.layout == *expected))
      return graph.wanted("the maximum that the scores are less", largest);
  }
  int64_t count = heads.node->extents[0], size = heads.node->extents[3];
  std::optional<Layout> ofHeads = compose(
      heads.layout,
      Layout({{heads.node->size / (count * size), 0}, {count, 1}, {size, 0}}));
  for (int64_t stride : {1, 0}) {
    Layout perHead({{count, stride}}, sink.layout.getOffset());
    std::optional<Layout> read =
        ofHeads ? compose(*ofHeads, perHead) : std::nullopt;
    if (!read || !(*read == sink.layout))
      continue;
    graph.found("the share of a sink");
    Node sunk = *heads.node;
    sunk.addRole(
        "sinks",
        {sink.node, stride == 0 ? Layout({}, perHead.getOffset()) : perHead});
    Term result = graph.read(graph.make(sunk), heads.layout);
    return result ? graph.scale(result, product.coefficient) : Term();
  }
  return graph.wanted("one sink for each head", sink);
}
