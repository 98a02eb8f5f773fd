//===- Padding.cpp - what is computed from masks of padding ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file reads masks of padding and what is computed from them, and follows
// rows of padding whose numbers are others than those of the function.
//
//===----------------------------------------------------------------------===//

#include "Padding.h"

#include "MarkArguments.h"
#include "Recognise.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Tables of running sums above this many elements are not compared.
static constexpr int64_t kMaxPrefix = int64_t(1) << 24;

bool parablock::raise::isGivenNumbers(const Node *node, int64_t size) {
  if (node->op != Kind::Leaf || node->size != size ||
      !isa<mlir::BlockArgument>(node->given))
    return false;
  mlir::Type element = getElementTypeOrSelf(node->given);
  return element.isInteger(64) || element.isInteger(32);
}

bool parablock::raise::isColumn(const Term &term, int64_t width) {
  std::optional<Layout> row = getRowPart(term.layout, width);
  if (!row || term.node->source != Source::Constant)
    return false;
  for (int64_t i = 0; i < width; ++i)
    if (evaluateAt({term.node, *row}, i) != static_cast<double>(i))
      return false;
  return true;
}

bool parablock::raise::isOfPadding(const Node *counts) {
  auto argument = cast<mlir::BlockArgument>(counts->given);
  auto function =
      dyn_cast<mlir::FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function && function.getArgAttr(argument.getArgNumber(), kPaddingAttr);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

std::optional<bool> PaddingReader::getMark(const Node *node) const {
  if (node->op == Kind::Less && isGivenNumbers(node->operands[1].node, rows))
    return true;
  if (node->op == Kind::LessEqual &&
      isGivenNumbers(node->operands[0].node, rows))
    return false;
  return std::nullopt;
}

bool PaddingReader::isPadded(const Node *node) {
  if (node->source != Source::Data)
    return false;
  auto [entry, isNew] = padded.try_emplace(node, false);
  if (!isNew)
    return entry->second;
  bool found = getMark(node) ||
               llvm::any_of(node->operands,
                            [&](const Term &x) { return isPadded(x.node); });
  return padded[node] = found;
}

bool PaddingReader::isMask(const Term &term) {
  std::optional<bool> mark = getMark(term.node);
  if (!mark)
    return false;
  Term key = graph.getOperand(term, *mark ? 0 : 1);
  Term counts = graph.getOperand(term, *mark ? 1 : 0);
  if (!key || !counts || (lengths && lengths != counts.node))
    return false;
  lengths = counts.node;
  return counts.layout == Layout({{rows, 1}, {term.getSize() / rows, 0}}) &&
         isColumn(key, keys);
}

bool PaddingReader::looksBack(const Term &term) {
  const Node *node = term.node;
  if (!isPadded(node))
    return true;
  if (getMark(node))
    return isMask(term);
  if (node->op == Kind::ReduceSum) {
    Layout own({{rows, keys}, {term.getSize() / (rows * keys), 0}, {keys, 1}});
    return term.layout == own && isRunningSum(node);
  }
  return node->isElementwise() &&
         llvm::all_of(llvm::seq<unsigned>(0, node->operands.size()),
                      [&](unsigned k) {
                        Term operand = graph.getOperand(term, k);
                        return operand && looksBack(operand);
                      });
}

/// Returns whether a sum over all keys, of each batch row and key, has nothing
/// of the masks of keys behind that one.
bool PaddingReader::isRunningSum(const Node *node) {
  const Term &all = node->operands[0];
  if (node->width != keys || node->size != rows * keys ||
      all.getSize() > kMaxPrefix || !looksBack(all))
    return false;
  std::vector<double> real, padding;
  Term shown = replace(all, true), gone = replace(all, false);
  if (!shown || !gone || !readNumbers(shown, real) ||
      !readNumbers(gone, padding))
    return false;
  for (int64_t i = 0, n = all.getSize(); i < n; ++i)
    if (i % keys > i / keys % keys && real[i] != padding[i])
      return false;
  return true;
}

/// Sums over `width` elements each, of one batch row if all are the same.
Term PaddingReader::sumRows(const Term &all, int64_t width) {
  int64_t size = all.getSize() / rows;
  if (std::optional<Layout> one = compose(Layout::identity(size), all.layout)) {
    SmallVector<Digit> repeated = {{rows, 0}};
    repeated.append(one->getDigits().begin(), one->getDigits().end());
    if (Layout(repeated, one->getOffset()) == all.layout)
      return graph.read(graph.reduce(Kind::ReduceSum, {all.node, *one}, width),
                        Layout({{rows, 0}, {size / width, 1}}));
  }
  return graph.reduce(Kind::ReduceSum, all, width);
}

Term PaddingReader::replace(const Term &term, bool isReal) {
  Term made = replaceAll(term.node, isReal);
  return made ? graph.read(made, term.layout) : Term();
}

Term PaddingReader::replaceAll(const Node *node, bool isReal) {
  if (!isPadded(node))
    return {node, Layout::identity(node->size)};
  if (Term known = replaced[isReal].lookup(node))
    return known;
  // At a key of padding, a running sum has the masks of the real keys before
  // it.
  if (!isReal && node->op == Kind::ReduceSum)
    return {node, Layout::identity(node->size)};
  Term made;
  SmallVector<Term> operands;
  if (std::optional<bool> mark = getMark(node)) {
    made = graph.splat(*mark == isReal, node->size);
  } else if (node->isElementwise() || node->op == Kind::ReduceSum) {
    for (const Term &operand : node->operands) {
      operands.push_back(replace(operand, isReal));
      if (!operands.back())
        return {};
    }
    made = node->op == Kind::ReduceSum ? sumRows(operands[0], node->width)
           : node->op == Kind::Round
               ? graph.round(operands[0], node->type)
               : graph.elementwise(node->op, operands, node->value);
  }
  return replaced[isReal][node] = made;
}

//===----------------------------------------------------------------------===//
// Rows of padding
//===----------------------------------------------------------------------===//

namespace {
/// Follows rows of padding that differ through grouped steps.
class PaddingRows {
public:
  explicit PaddingRows(Graph &graph) : graph(graph) {}

  /// Returns whether real rows of a node and of all that it reads have nothing
  /// of rows of padding.
  bool areApart(const Node *node);
  bool differs(const Node *node) const { return differing.contains(node); }

private:
  bool isByRow(const Node *node) const;

  Graph &graph;
  DenseMap<const Node *, bool> known;
  DenseSet<const Node *> differing;
};
} // namespace

/// Returns whether each row of a node, one of a token, has something of the
/// same row of its first operand alone.
bool PaddingRows::isByRow(const Node *node) const {
  int64_t rows = graph.batch * graph.tokens;
  switch (node->op) {
  case Kind::Norm:
    return node->size % rows == 0 && node->size / rows % node->width == 0;
  case Kind::Linear:
  case Kind::Attention:
  case Kind::Mlp:
  case Kind::Route:
  case Kind::Choice:
  case Kind::Moe:
  case Kind::Residual:
  case Kind::Head:
    return node->size == rows * node->width;
  default:
    return node->isElementwise() || node->op == Kind::Activation ||
           node->op == Kind::Clamp || node->op == Kind::Scale;
  }
}

bool PaddingRows::areApart(const Node *node) {
  auto [entry, isNew] = known.try_emplace(node, true);
  if (!isNew)
    return entry->second;
  bool isRight = true, isFed = false;
  for (auto [k, operand] : llvm::enumerate(node->operands)) {
    const Node *from = graph.getCurrent(operand.node);
    isRight &= areApart(from);
    if (!differs(from))
      continue;
    isFed = true;
    bool hasOneInput = node->op == Kind::Norm || node->op == Kind::Linear ||
                       node->op == Kind::Attention || node->op == Kind::Mlp ||
                       node->op == Kind::Route || node->op == Kind::Choice ||
                       node->op == Kind::Moe || node->op == Kind::Head;
    isRight &= (k == 0 || !hasOneInput) && operand.layout.isIdentity() &&
               operand.getSize() == from->size;
  }
  Term lengths = node->getRole("lengths");
  bool hides = lengths && graph.paddedBy.contains(lengths.node);
  if (isFed)
    isRight &= isByRow(node) && (node->op != Kind::Attention || hides);
  if (isFed || hides ||
      (node->op == Kind::Embedding && !graph.paddedBy.empty()))
    differing.insert(node);
  return known[node] = isRight;
}

bool parablock::raise::keepsPaddingApart(Graph &graph, ArrayRef<Term> results,
                                         ArrayRef<Term> others) {
  // With two lengths, a row may be real by one and padding by the other.
  if (graph.paddedBy.size() > 1)
    return false;
  PaddingRows rows(graph);
  auto isRight = [&](const Term &given, bool isResult) {
    Term root = graph.getCurrent(given);
    return rows.areApart(root.node) &&
           (!rows.differs(root.node) ||
            (isResult && root.layout.isIdentity() &&
             root.getSize() == root.node->size &&
             root.node->size % (graph.batch * graph.tokens) == 0));
  };
  return llvm::all_of(results,
                      [&](const Term &root) { return isRight(root, true); }) &&
         llvm::all_of(others,
                      [&](const Term &root) { return isRight(root, false); });
}
