//===- MatchNorm.cpp - matches norms and their gains ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Recognise.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;
using block::EpsForm;
using block::GammaForm;
using block::NormAttr;
using block::NormKind;
using block::NormRounding;

namespace {

/// The number that a row is divided by.
struct Divisor {
  Term square; // squared and summed, over rows and their elements
  Term rows;   // the sums, as the root reads them
  int64_t width = 0;
  double eps = 0;
  EpsForm epsForm = EpsForm::InsideRoot;
  bool isSum = false;
  /// E[x^2] - E[x]^2: the square is of x, not of its distance to the mean.
  bool isDifference = false;
};

/// A value minus the mean of its row.
struct Centered {
  Term value;
  int64_t width;
};

} // namespace

/// Returns the sum over rows of `width` elements such that `term` is
/// `coefficient` times its power `exponent`, or a null term.
static Term matchRowSum(Graph &graph, const Term &term, double exponent,
                        double &coefficient) {
  Product product = getProduct(graph, term);
  if (product.factors.size() != 1 || product.factors[0].exponent != exponent ||
      product.factors[0].term.node->op != Kind::ReduceSum)
    return {};
  coefficient *= product.coefficient;
  return product.factors[0].term;
}

/// `term` without a number that multiplies it.
static std::pair<Term, double> splitNumber(Graph &graph, const Term &term) {
  if (term.node->op == Kind::Mul)
    for (unsigned k : {0, 1})
      if (std::optional<double> number = getSplat(term.node->operands[k]))
        return {stripRounding(graph, graph.getOperand(term, 1 - k)), *number};
  return {term, 1};
}

static std::optional<Centered> matchCentered(Graph &graph, const Term &term) {
  const Node *node = term.node;
  if (node->op != Kind::Add)
    return std::nullopt;
  for (unsigned k : {0, 1}) {
    double coefficient = 1;
    Term sum = matchRowSum(graph, node->operands[1 - k], 1, coefficient);
    if (!sum)
      continue;
    Term inner = stripRounding(graph, sum.node->operands[0]);
    Term own = stripRounding(graph, node->operands[k]);
    // A sum of multiples is a multiple of the sum.
    for (const auto &[value, number] :
         {std::pair(own, 1.0), splitNumber(graph, own)})
      if (isClose(coefficient * sum.node->width, -number) &&
          inner.node == value.node &&
          isRowOfReduction(value.layout, sum.layout, inner.layout,
                           sum.node->width))
        return Centered{graph.read(own, term.layout), sum.node->width};
  }
  return std::nullopt;
}

/// Returns the value that `term` is the square of, or a null term.
static Term matchSquare(Graph &graph, const Term &given) {
  Term term = stripRounding(graph, given);
  if (term.node->op == Kind::Power && term.node->value == 2)
    return stripRounding(graph, graph.getOperand(term, 0));
  if (term.node->op == Kind::Mul &&
      term.node->operands[0] == term.node->operands[1])
    return stripRounding(graph, graph.getOperand(term, 0));
  return {};
}

/// Reads `moment` as a mean (or sum) of squares.
static bool matchMoment(Graph &graph, const Sum &moment, Divisor &divisor) {
  if (moment.addends.size() > 2 || moment.addends.empty())
    return false;
  for (auto [index, addend] : llvm::enumerate(moment.addends)) {
    double coefficient = addend.coefficient;
    Term term = addend.term;
    // A variance is not negative: max(0, v), which was taken for a relu, is v.
    if (term.node->op == Kind::Activation && moment.addends.size() == 1 &&
        coefficient == 1 &&
        cast<block::ActivationAttr>(term.node->form).getValue() ==
            block::Activation::Relu) {
      Sum inner = getSum(graph, graph.getOperand(term, 0));
      if (inner.constant == 0)
        return matchMoment(graph, inner, divisor);
    }
    Term sum = matchRowSum(graph, term, 1, coefficient);
    if (!sum)
      continue;
    divisor.square = matchSquare(graph, sum.node->operands[0]);
    if (!divisor.square)
      continue;
    divisor.rows = sum;
    divisor.width = sum.node->width;
    divisor.isSum = coefficient == 1;
    if (!divisor.isSum && !isClose(coefficient * divisor.width, 1))
      continue;
    if (moment.addends.size() == 1)
      return true;
    // The other one must be the squared mean.
    const Addend &other = moment.addends[1 - index];
    double factor = other.coefficient;
    Term mean = matchRowSum(graph, other.term, 2, factor);
    if (!mean || divisor.isSum || mean.node->width != divisor.width ||
        !isClose(factor * divisor.width * divisor.width, -1) ||
        !(stripRounding(graph, mean.node->operands[0]) == divisor.square) ||
        mean.layout != sum.layout)
      return false;
    return divisor.isDifference = true;
  }
  return false;
}

static std::optional<Divisor> matchDivisor(Graph &graph, const Factor &factor) {
  Divisor divisor;
  Term term = factor.term;
  auto matchRoot = [&](const Term &root) {
    Product product = getProduct(graph, root);
    return product.factors.size() == 1 && product.coefficient == 1 &&
           product.factors[0].exponent == 0.5 &&
           matchMoment(graph, getSum(graph, product.factors[0].term), divisor);
  };
  if (factor.exponent == -0.5) {
    graph.found("a division by a root");
    Sum sum = getSum(graph, term);
    divisor.eps = sum.constant;
    if (sum.constant < 0 || !matchMoment(graph, sum, divisor))
      return graph.wanted("the root of a mean of squares", term);
    return divisor;
  }
  if (factor.exponent != -1)
    return graph.wanted("a division by a root");
  graph.found("a division");
  if (term.node->op == Kind::Max) {
    for (unsigned k : {0, 1})
      if (std::optional<double> eps = getSplat(term.node->operands[k])) {
        divisor.eps = *eps;
        divisor.epsForm = EpsForm::Clamp;
        if (*eps > 0 && matchRoot(graph.getOperand(term, 1 - k)))
          return divisor;
      }
    return graph.wanted("a length that is not below epsilon", term);
  }
  Sum sum = getSum(graph, term);
  if (sum.addends.size() != 1 || sum.constant < 0 ||
      sum.addends[0].coefficient != 1 || !matchRoot(sum.addends[0].term))
    return graph.wanted("the root of a mean of squares", term);
  divisor.eps = sum.constant;
  divisor.epsForm = EpsForm::OutsideRoot;
  return divisor;
}

double parablock::raise::shorten(const Graph &graph, double value) {
  float narrow = static_cast<float>(value);
  if (graph.exactNumbers || static_cast<double>(narrow) != value)
    return value;
  for (int digits = 1; digits < 9; ++digits) {
    char text[32];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    double candidate = strtod(text, nullptr);
    if (static_cast<float>(candidate) == narrow)
      return candidate;
  }
  return value;
}

/// The norm `numerator / divisor`, read as the root's elements.
static Term makeNorm(Graph &graph, const Term &x, bool isCentered,
                     const Divisor &divisor, mlir::MLIRContext *context) {
  std::optional<Aligned> aligned = align({x.layout, divisor.rows.layout});
  if (!aligned)
    return {};
  SmallVector<unsigned> rows, channels;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    (aligned->strides[1][d] != 0 ? rows : channels).push_back(d);
  aligned->sortByStride(rows, 0);
  aligned->sortByStride(channels, 0);
  SmallVector<unsigned> order = rows;
  order.append(channels);
  Node norm;
  norm.op = Kind::Norm;
  norm.size = x.getSize();
  norm.width = divisor.width;
  norm.operands = {{x.node, aligned->select(0, order, x.layout.getOffset())}};
  NormKind kind = isCentered      ? NormKind::Layer
                  : divisor.isSum ? NormKind::L2
                                  : NormKind::Rms;
  norm.form = NormAttr::get(
      context, kind, block::getReal(context, shorten(graph, divisor.eps)),
      divisor.epsForm, GammaForm::Direct, NormRounding::AfterGain);
  SmallVector<unsigned> all = order;
  llvm::sort(all);
  return graph.read(graph.make(norm), aligned->locate(all, order));
}

Term parablock::raise::matchNorm(Graph &graph, const Node *node) {
  Term root{node, Layout::identity(node->size)};
  for (const Factor &candidate : getProduct(graph, root).factors) {
    std::optional<Divisor> divisor = matchDivisor(graph, candidate);
    if (!divisor)
      continue;
    graph.found("a division by the root of a mean of squares");
    Product product = getProduct(graph, root, divisor->square.node);
    int at = product.find(
        [&](const Factor &factor) { return factor.term == candidate.term; });
    if (at < 0)
      continue;
    std::optional<Centered> squared = matchCentered(graph, divisor->square);
    for (auto [other, numerator] : llvm::enumerate(product.factors)) {
      if (static_cast<int>(other) == at || numerator.exponent != 1)
        continue;
      Term x = numerator.term, square = divisor->square;
      bool isCentered = squared || divisor->isDifference;
      if (isCentered) {
        // The mean may be written twice; in E[x^2] - E[x]^2, only here.
        std::optional<Centered> distance = matchCentered(graph, x);
        if (!distance || distance->width != divisor->width) {
          graph.wanted("a value minus the mean of its row above the root", x);
          continue;
        }
        x = distance->value;
        if (squared)
          square = squared->value;
      }
      if (x.node != square.node) {
        graph.wanted("the value whose squares are below the root", x);
        continue;
      }
      if ((isCentered && divisor->isSum) ||
          !isRowOfReduction(x.layout, divisor->rows.layout, square.layout,
                            divisor->width)) {
        graph.wanted("each divided by the root of its own row's mean",
                     divisor->rows);
        continue;
      }
      Term norm = makeNorm(graph, x, isCentered, *divisor, graph.context);
      if (!norm)
        continue;
      // Remaining factors: gains first, so that they belong to the norm.
      Product gains, rest;
      rest.coefficient = product.coefficient;
      for (auto [k, left] : llvm::enumerate(product.factors))
        if (static_cast<int>(k) != at && k != other)
          (left.term.node->source == Source::Data ? rest : gains)
              .factors.push_back(left);
      if (!gains.factors.empty())
        norm = graph.multiply(norm, build(graph, gains, node->size));
      if (!rest.factors.empty())
        norm = graph.multiply(norm, build(graph, rest, node->size));
      else
        norm = graph.scale(norm, rest.coefficient);
      return norm;
    }
  }
  return graph.wanted("a value divided by the root of its mean square");
}

/// Returns a vector for each row of the norm, or for several rows that are its
/// groups.
static std::optional<Layout> getVectorPart(const Term &norm, const Term &vector,
                                           int64_t tokenWidth) {
  std::optional<Layout> ordered = inOrderOf(vector.layout, norm.layout);
  if (!ordered)
    return std::nullopt;
  if (std::optional<Layout> part = getRowPart(*ordered, norm.node->width))
    return part;
  if (tokenWidth > norm.node->width && tokenWidth % norm.node->width == 0)
    return getRowPart(*ordered, tokenWidth);
  return std::nullopt;
}

/// Elements of a token of a norm: all groups.
static int64_t findNormWidth(const Graph &graph, const Term &norm) {
  int64_t rows = graph.batch * graph.tokens;
  return norm.node->size % rows == 0 ? norm.node->size / rows : 0;
}

/// Matches sqrt(n) x / sqrt(sum + n eps), or with epsilon outside the root:
/// divided by the root of a mean.
Term parablock::raise::matchNormLength(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  for (unsigned k : {0, 1}) {
    std::optional<double> length = getSplat(node->operands[k]);
    Term norm = graph.getOperand(whole, 1 - k);
    if (!length || norm.node->op != Kind::Norm || !norm.node->roles.empty())
      continue;
    graph.found("a norm times a number");
    auto form = cast<NormAttr>(norm.node->form);
    auto width = static_cast<double>(norm.node->width);
    if (form.getKind() != NormKind::L2 || !isClose(*length, std::sqrt(width))) {
      graph.wanted("the root of the row's width times a row of length 1", norm);
      continue;
    }
    Node mean = *norm.node;
    bool isInside = form.getEpsForm() == EpsForm::InsideRoot;
    double eps =
        form.getEps().getValueAsDouble() / (isInside ? width : *length);
    if (!graph.exactNumbers)
      eps = static_cast<float>(eps);
    mean.form = NormAttr::get(
        graph.context, NormKind::Rms,
        block::getReal(graph.context, shorten(graph, eps)), form.getEpsForm(),
        form.getGammaForm(), form.getRounding());
    return graph.read(graph.make(mean), norm.layout);
  }
  return graph.wanted("a row of length 1 times the root of its width");
}

Term parablock::raise::matchNormGain(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  for (unsigned k : {0, 1}) {
    Term given = graph.getOperand(whole, k);
    Term norm = stripRounding(graph, given);
    Term gain = stripRounding(graph, graph.getOperand(whole, 1 - k));
    if (norm.node->op != Kind::Norm)
      continue;
    graph.found("a norm");
    if (!norm.node->roles.empty() || gain.node->source == Source::Data ||
        getSplat(gain) || norm.getSize() != norm.node->size) {
      graph.wanted("a first gain of weights for all of it", gain);
      continue;
    }
    auto form = cast<NormAttr>(norm.node->form);
    GammaForm gammaForm = GammaForm::Direct;
    Sum sum = getSum(graph, gain);
    if (sum.constant == 1 && sum.addends.size() == 1 &&
        sum.addends[0].coefficient == 1) {
      gammaForm = GammaForm::OnePlus;
      gain = sum.addends[0].term;
    }
    std::optional<Layout> part =
        getVectorPart(norm, gain, findNormWidth(graph, norm));
    if (!part) {
      graph.wanted("one gain for each channel", gain);
      continue;
    }
    Node scaled = *norm.node;
    scaled.form = NormAttr::get(graph.context, form.getKind(), form.getEps(),
                                form.getEpsForm(), gammaForm,
                                norm.node->type || given.node->op == Kind::Round
                                    ? NormRounding::BeforeGain
                                    : NormRounding::AfterGain);
    scaled.type = {};
    scaled.addRole("gamma", {gain.node, *part});
    return graph.read(graph.make(scaled), norm.layout);
  }
  return graph.wanted("a norm and its gain");
}

Term parablock::raise::matchNormBias(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  for (unsigned k : {0, 1}) {
    Term norm = stripRounding(graph, graph.getOperand(whole, k));
    Term bias = stripRounding(graph, graph.getOperand(whole, 1 - k));
    if (norm.node->op != Kind::Norm)
      continue;
    graph.found("a norm");
    if (norm.node->getRole("beta") || bias.node->source == Source::Data ||
        getSplat(bias) || norm.getSize() != norm.node->size) {
      graph.wanted("a first bias of weights for all of it", bias);
      continue;
    }
    std::optional<Layout> part =
        getVectorPart(norm, bias, findNormWidth(graph, norm));
    if (!part) {
      graph.wanted("one bias for each channel", bias);
      continue;
    }
    Node shifted = *norm.node;
    shifted.type = {};
    shifted.addRole("beta", {bias.node, *part});
    return graph.read(graph.make(shifted), norm.layout);
  }
  return graph.wanted("a norm and its bias");
}

/// Returns whether the factors of `a` and `b` are equal except for one of each.
static bool isSharedBut(const Product &a, int inA, const Product &b, int inB) {
  Product left = a.without(inA), right = b.without(inB);
  return left.factors.size() == right.factors.size() &&
         llvm::all_of(left.factors, [&](const Factor &factor) {
           return right.find([&](const Factor &other) {
             return other.term == factor.term &&
                    other.exponent == factor.exponent;
           }) >= 0;
         });
}

/// `x (r g) + (b - mu (r g))` as `(x - mu) r g + b`.
Term parablock::raise::matchFactoredNorm(Graph &graph, const Node *node) {
  Sum sum = getSum(graph, {node, Layout::identity(node->size)});
  auto isRoot = [](const Factor &factor) { return factor.exponent == -0.5; };
  auto isMean = [](const Factor &factor) {
    return factor.exponent == 1 && factor.term.node->op == Kind::ReduceSum;
  };
  if (sum.constant != 0 || sum.addends.size() < 2 || sum.addends.size() > 3)
    return graph.wanted("two or three addends");
  for (auto [m, shift] : llvm::enumerate(sum.addends)) {
    Product below = getProduct(graph, shift.term);
    int mean = below.find(isMean);
    if (mean < 0 || below.find(isRoot) < 0)
      continue;
    for (auto [k, scaled] : llvm::enumerate(sum.addends)) {
      Product above = getProduct(graph, scaled.term);
      int value = above.find([&](const Factor &factor) {
        return factor.exponent == 1 && factor.term.node->source == Source::Data;
      });
      if (k == m || value < 0)
        continue;
      graph.found("a mean times a root");
      if (!isSharedBut(above, value, below, mean)) {
        graph.wanted("a value times the same root and gain", scaled.term);
        continue;
      }
      double ratio = below.coefficient * shift.coefficient /
                     (above.coefficient * scaled.coefficient);
      Term distance = graph.add(above.factors[value].term,
                                graph.scale(below.factors[mean].term, ratio));
      Product shared = above.without(value);
      shared.coefficient *= scaled.coefficient;
      Term result = graph.multiply(distance, build(graph, shared, node->size));
      if (result.node->op != Kind::Norm)
        continue;
      for (auto [other, addend] : llvm::enumerate(sum.addends))
        if (other != k && other != m)
          result =
              graph.add(result, graph.scale(addend.term, addend.coefficient));
      return result;
    }
  }
  return graph.wanted("a value times a root, minus its mean times the same");
}
