//===- GroupEmbedding.cpp - groups lookups of tokens and positions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
#include "Padding.h"
#include "Recognise.h"
#include "TermMap.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

Term parablock::raise::stripWrap(Graph &graph, const Term &ids) {
  if (ids.node->op != Kind::Select)
    return ids;
  Term test = graph.getOperand(ids, 0), plain = graph.getOperand(ids, 2);
  bool isWrap = plain.node->op == Kind::Leaf && test.node->op == Kind::Less &&
                graph.getOperand(test, 0) == plain &&
                getSplat(test.node->operands[1]) == 0.0;
  return isWrap ? plain : ids;
}

static bool isWholeNumber(mlir::Type type) {
  mlir::Type element = getElementTypeOrSelf(type);
  return element.isInteger(64) || element.isInteger(32);
}

/// Returns whether `ids` has one number per token: of the main stream, or of
/// another one of the same batch.
static bool isOfTokens(const Graph &graph, const Term &ids, mlir::Type type) {
  auto tensor = dyn_cast<mlir::RankedTensorType>(type);
  return ids.getSize() == graph.batch * graph.tokens ||
         (tensor && tensor.getRank() == 2 &&
          tensor.getDimSize(0) == graph.batch);
}

/// Returns the ids that select rows of a table of weights: one for each token
/// of the batch, in a value of the function.
static Term getIds(Graph &graph, const Term &term) {
  const Node *node = getWhole(term);
  if (!node || node->op != Kind::Gather ||
      node->operands[0].node->source == Source::Data)
    return {};
  Term ids = stripWrap(graph, node->operands[1]);
  const Home *home = graph.getHome(ids.node);
  bool isGiven = ids.node->source == Source::Data && getWhole(ids) && home &&
                 isOfTokens(graph, ids, home->value.getType()) &&
                 isWholeNumber(home->value.getType());
  return isGiven ? ids : Term();
}

/// Returns the ids if they are an argument.
static Term getTokenIds(Graph &graph, const Term &term) {
  Term ids = getIds(graph, term);
  return ids && ids.node->op == Kind::Leaf ? ids : Term();
}

/// The addend that looks tokens up: of several, that of the largest table.
static int findTokens(Graph &graph, const Sum &sum) {
  int found = -1;
  int64_t most = 0;
  for (auto [k, addend] : llvm::enumerate(sum.addends)) {
    if (!getTokenIds(graph, addend.term))
      continue;
    int64_t size = addend.term.node->operands[0].getSize();
    if (size > most) {
      found = k;
      most = size;
    }
  }
  return found;
}

/// Returns whether a table of `tokens` x `tokens`, the same for each batch row,
/// sums the preceding elements.
static bool isTriangle(const Term &table, int64_t tokens) {
  std::optional<Layout> part = getRowPart(table.layout, tokens * tokens);
  if (!part || table.node->source != Source::Constant)
    return false;
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t s = 0; s < tokens; ++s)
      if (evaluateAt({table.node, *part}, t * tokens + s) !=
          (s <= t ? 1.0 : 0.0))
        return false;
  return true;
}

/// Returns the numbers whose prefix sums a term contains: by a product with a
/// table, or by a selection of summands.
static Term getSummed(Graph &graph, const Term &sums, int64_t tokens) {
  const Node *node = getWhole(sums);
  if (!node || node->width != tokens)
    return {};
  if (node->op == Kind::Linear) {
    const Term &table = node->operands[1];
    bool isPlain = !node->getRole("bias") &&
                   table.getSize() == tokens * tokens &&
                   isTriangle(table, tokens);
    return isPlain ? node->operands[0] : Term();
  }
  if (node->op != Kind::ReduceSum || node->operands[0].node->op != Kind::Select)
    return {};
  Term chosen = node->operands[0];
  Term number = graph.getOperand(chosen, 1);
  // Each token reads all numbers of its batch row.
  Layout rows({{node->size / tokens, tokens}, {tokens, 0}, {tokens, 1}});
  bool isSum = number.layout == rows &&
               getSplat(graph.getOperand(chosen, 2)) == 0.0 &&
               isTriangle(graph.getOperand(chosen, 0), tokens);
  return isSum ? Term{number.node, Layout::identity(node->size)} : Term();
}

/// Returns the id that tokens of `ids` for which `isReal` is true do not have.
static std::optional<double> getPad(Graph &graph, const Term &isReal,
                                    const Term &ids) {
  Term test = isReal;
  bool isNegated = test.node->op == Kind::Xor;
  if (isNegated) {
    unsigned truth = getSplat(test.node->operands[0]) == 1.0 ? 0 : 1;
    if (getSplat(test.node->operands[truth]) != 1.0)
      return std::nullopt;
    test = graph.getOperand(test, 1 - truth);
  }
  if (test.node->op != (isNegated ? Kind::Equal : Kind::NotEqual))
    return std::nullopt;
  for (unsigned k : {0, 1})
    if (graph.getOperand(test, k) == ids)
      return getSplat(test.node->operands[1 - k]);
  return std::nullopt;
}

/// Returns whether the condition only separates numbers that are not positions.
static bool isOfFarNumbers(Graph &graph, const Term &given) {
  TermSet seen;
  SmallVector<Term> open = {given};
  while (!open.empty()) {
    Term test = open.pop_back_val();
    if (!seen.insert(test))
      continue;
    if (test.node->op == Kind::And) {
      for (unsigned k : {0, 1})
        open.push_back(graph.getOperand(test, k));
      continue;
    }
    bool isBound =
        test.node->op == Kind::Less || test.node->op == Kind::LessEqual;
    if (!isBound || llvm::none_of(test.node->operands, [](const Term &bound) {
          return std::fabs(getSplat(bound).value_or(0)) >= 0x1p31;
        }))
      return false;
  }
  return true;
}

/// Returns the truncated number, ignoring numbers that are not
/// positions.
static Term stripCut(Graph &graph, const Term &given) {
  Term number = given;
  while (true) {
    Kind op = number.node->op;
    if (op == Kind::ToInt || op == Kind::Nearest) {
      number = graph.getOperand(number, 0);
      continue;
    }
    Term test = op == Kind::Select ? graph.getOperand(number, 0) : Term();
    if (!test || !isOfFarNumbers(graph, test))
      return number;
    number = graph.getOperand(number, test.node->op == Kind::And ? 1 : 2);
  }
}

/// Returns the id of padding if `rows` counts real tokens starting there: the
/// id plus 0 for padding, or else the number of real tokens up to this one.
static std::optional<int64_t> getPadOfCount(Graph &graph, const Term &rows,
                                            const Term &ids, int64_t tokens) {
  Sum sum = getSum(graph, stripCut(graph, rows));
  if (sum.addends.size() != 1 || sum.addends[0].coefficient != 1)
    return std::nullopt;
  Product product = getProduct(graph, sum.addends[0].term);
  int sums = product.find([](const Factor &factor) {
    return factor.exponent == 1 && (factor.term.node->op == Kind::Linear ||
                                    factor.term.node->op == Kind::ReduceSum);
  });
  if (product.coefficient != 1 || product.factors.size() != 2 || sums < 0 ||
      product.factors[1 - sums].exponent != 1)
    return std::nullopt;
  const Term &isReal = product.factors[1 - sums].term;
  if (!(getSummed(graph, product.factors[sums].term, tokens) == isReal))
    return std::nullopt;
  std::optional<double> pad = getPad(graph, isReal, ids);
  // The addend is the id itself.
  if (!pad || *pad != sum.constant || *pad < 0)
    return std::nullopt;
  return static_cast<int64_t>(*pad);
}

/// Returns the first of `rows` of a table of `tableRows` that follow each other
/// in real tokens, where a mask of padding decides them and rows of padding may
/// be others. All tokens may be real.
static std::optional<int64_t> getFirstOfReal(Graph &graph, const Term &rows,
                                             int64_t tokens,
                                             int64_t tableRows) {
  PaddingReader reader(graph, graph.batch, tokens);
  if (!graph.changesPadding || !reader.isPadded(rows.node) ||
      !reader.looksBack(rows) || !isOfPadding(reader.lengths))
    return std::nullopt;
  Term shown = reader.replace(rows, true);
  std::vector<double> numbers;
  if (!shown || !readNumbers(shown, numbers) || numbers.front() < 0 ||
      numbers.front() + static_cast<double>(tokens) > tableRows)
    return std::nullopt;
  for (auto [i, number] : llvm::enumerate(numbers))
    if (number != numbers.front() + static_cast<double>(i % tokens))
      return std::nullopt;
  graph.paddedBy.insert(reader.lengths);
  return static_cast<int64_t>(numbers.front());
}

namespace {
/// The terms that an embedding adds to the rows of its tokens.
struct EmbeddingParts {
  Term positions, type, typeIds;
  /// Number of tokens of a batch row.
  int64_t tokens = 0;
  int64_t offset = 0;
  std::optional<int64_t> pad;
  block::SinusoidAttr sinusoid;
};
} // namespace

static Term getWholeTable(const Term &table) {
  return Term{table.node, Layout::identity(table.node->size)};
}

/// Adds rows selected by ids: of positions that count real tokens, or of types;
/// any other lookup is treated as types.
static bool addLookup(Graph &graph, const Term &lookup, const Term &tokenIds,
                      EmbeddingParts &parts) {
  Term ids = getIds(graph, lookup);
  if (!ids || ids.getSize() != tokenIds.getSize())
    return false;
  const Term &table = lookup.node->operands[0];
  int64_t tableRows = table.getSize() * ids.getSize() / lookup.getSize();
  if (!parts.positions && !parts.sinusoid) {
    std::optional<int64_t> pad =
        getPadOfCount(graph, ids, tokenIds, parts.tokens);
    // Behind the row of padding, all tokens may be real.
    if (pad && *pad + parts.tokens < tableRows) {
      parts.pad = pad;
      parts.positions = table;
      return true;
    }
    std::optional<int64_t> first =
        getFirstOfReal(graph, ids, parts.tokens, tableRows);
    if (first) {
      parts.positions = table;
      parts.offset = *first;
      return true;
    }
  }
  if (parts.type)
    return false;
  parts.type = table;
  parts.typeIds = ids;
  return true;
}

/// Returns whether `table`, rows of `width` numbers, contains sines and cosines
/// of the positions starting at `offset`.
static bool isSinusoid(const Term &table, int64_t width, int64_t offset,
                       block::Sinusoid layout) {
  int64_t pairs = width / 2;
  bool isInterleaved = layout == block::Sinusoid::Interleaved;
  for (int64_t i = 0, size = table.getSize(); i < size; ++i) {
    int64_t column = i % width;
    int64_t pair = isInterleaved ? column / 2 : column % pairs;
    bool isSine = isInterleaved ? column % 2 == 0 : column < pairs;
    const int64_t row = i / width;
    double position = static_cast<double>(row + offset);
    double angle = position * std::pow(10000.0, -2.0 * pair / width);
    std::optional<double> number = evaluateAt(table, i);
    // Tables are computed in f32, so the error of an angle is proportional to
    // it.
    if (!number ||
        std::fabs(*number - (isSine ? std::sin(angle) : std::cos(angle))) >
            5e-7 + 3e-7 * angle)
      return false;
  }
  return true;
}

/// Constants that are sines and cosines of positions have a name.
static bool addSinusoid(Graph &graph, const Term &table, int64_t width,
                        EmbeddingParts &parts) {
  // Padding may take the first positions.
  constexpr int64_t kMaxOffset = 4;
  if (table.node->source != Source::Constant || width % 2 != 0)
    return false;
  for (auto layout :
       {block::Sinusoid::Interleaved, block::Sinusoid::Concatenated})
    for (int64_t offset = 0; offset <= kMaxOffset; ++offset)
      if (isSinusoid(table, width, offset, layout)) {
        parts.sinusoid = block::SinusoidAttr::get(graph.context, layout);
        parts.offset = offset;
        return true;
      }
  return false;
}

/// Rows of weights that are the same for every batch row.
static bool addRows(Graph &graph, const Term &term, int64_t width,
                    EmbeddingParts &parts) {
  const Layout &layout = term.layout;
  std::optional<Layout> row = getRowPart(layout, width);
  bool isTable = term.node->size % width == 0;
  if (row && !parts.type) {
    // One row of the table of types: type 0 is the first.
    parts.type = getWholeTable(term);
    return isTable && row->getOffset() == 0;
  }
  std::optional<Layout> rows = getRowPart(layout, width * parts.tokens);
  if (!rows || parts.positions || parts.sinusoid)
    return false;
  if (addSinusoid(graph, {term.node, *rows}, width, parts))
    return true;
  if (Layout(rows->getDigits()) != Layout::identity(width * parts.tokens) ||
      rows->getOffset() % width != 0 || !isTable)
    return false;
  parts.offset = rows->getOffset() / width;
  parts.positions = getWholeTable(term);
  return true;
}

std::optional<Node> parablock::raise::groupEmbedding(Graph &graph,
                                                     const Node *node,
                                                     const Users &users) {
  Term term{node, Layout::identity(node->size)};
  Sum sum = getSum(graph, term,
                   [&](const Node *inner) { return users.hasOne(inner); });
  int at = findTokens(graph, sum);
  if (at < 0 || sum.constant != 0)
    return graph.wanted("rows of a table that ids of an argument choose", term);
  graph.found("rows of tokens");
  const Node *tokens = sum.addends[at].term.node;
  Term ids = getTokenIds(graph, sum.addends[at].term);
  Term table = tokens->operands[0];
  int64_t width = tokens->width;
  EmbeddingParts parts;
  parts.tokens = ids.getSize() / graph.batch;
  for (const Addend &addend : sum.without(at).addends) {
    bool isPart = addend.coefficient == 1 &&
                  (addend.term.node->source == Source::Data
                       ? addLookup(graph, addend.term, ids, parts)
                       : addRows(graph, addend.term, width, parts));
    if (!isPart)
      return graph.wanted("rows of positions or of types beside the tokens",
                          addend.term);
  }
  Node embedding = *node;
  embedding.op = Kind::Embedding;
  embedding.width = width;
  embedding.value = sum.addends[at].coefficient;
  embedding.extents = {parts.offset};
  if (parts.pad)
    embedding.extents.push_back(*parts.pad);
  embedding.form = parts.sinusoid;
  embedding.roles.clear();
  embedding.operands = {ids, table};
  for (const auto &[role, operand] : {std::pair("positions", parts.positions),
                                      {"type", parts.type},
                                      {"type_ids", parts.typeIds}})
    if (operand)
      embedding.addRole(role, operand);
  return embedding;
}
