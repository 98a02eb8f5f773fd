//===- Restore.cpp - how sources follow from packed tensors ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Recipe/Recipe.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace parablock;
using namespace parablock::recipe;
using llvm::StringRef;

namespace {
/// Walks packed tensors from their roots down: where the value of an operation
/// is known, so may be those of its operands.
class Restorer {
public:
  /// `node` has the value of `known`, an expression over packed tensors; null
  /// where that would grow too large to be written.
  void learn(const Expression &node, const ExpressionPtr &known);

  ExpressionPtr lookup(StringRef source) const {
    return restored.lookup(source);
  }
  /// Gives what stopped the walk above `source`.
  std::string explainLoss(StringRef source) const {
    auto found = blocked.find(source);
    return found == blocked.end() ? "unread" : found->second;
  }

private:
  struct Piece {
    const Expression *slice;
    ExpressionPtr known;
  };

  void learnConcat(const Expression &node, const ExpressionPtr &known);
  void learnSlice(const Expression &node, const ExpressionPtr &known);
  void block(const Expression &node);

  llvm::StringMap<ExpressionPtr> restored;
  llvm::StringMap<std::string> blocked;
  /// The known parts of an operand; keys are expressions as text.
  llvm::StringMap<std::vector<Piece>> pieces;
  llvm::StringSet<> learned;
};
} // namespace

static std::string getKey(const Expression &expression) {
  std::string text;
  llvm::raw_string_ostream(text) << toJSON(expression);
  return text;
}

static ExpressionPtr makeOrNull(Expression draft) {
  llvm::Expected<ExpressionPtr> made = makeExpression(std::move(draft));
  if (made)
    return *made;
  llvm::consumeError(made.takeError()); // over the limit of a tree
  return nullptr;
}

static Expression draftOf(Operation operation,
                          std::vector<ExpressionPtr> operands) {
  Expression draft;
  draft.operation = operation;
  draft.operands = std::move(operands);
  return draft;
}

/// Every number of type `from` is one of type `to`.
static bool isWidening(ElementType from, ElementType to) {
  return getElementSize(from) < getElementSize(to);
}

void Restorer::block(const Expression &node) {
  forEachSource(node, [&](const Expression &source) {
    blocked.try_emplace(source.source, getOperationName(node.operation));
  });
}

void Restorer::learnConcat(const Expression &node, const ExpressionPtr &known) {
  int64_t offset = 0;
  for (const ExpressionPtr &operand : node.operands) {
    Expression slice = draftOf(Operation::Slice, {known});
    slice.type = operand->type;
    slice.offsets.assign(operand->type.shape.size(), 0);
    slice.strides.assign(operand->type.shape.size(), 1);
    slice.offsets[node.dim] = offset;
    offset += operand->type.shape[node.dim];
    learn(*operand, makeOrNull(std::move(slice)));
  }
}

/// True where the slice takes all of every dimension but `dim`, and of that a
/// range.
static bool isRangeOf(const Expression &slice, size_t dim) {
  const auto &whole = slice.operands.front()->type.shape;
  for (size_t i = 0; i < whole.size(); ++i)
    if (slice.strides[i] != 1 || (i != dim && slice.type.shape[i] != whole[i]))
      return false;
  return true;
}

/// With pieces that cover one dimension without a gap, the whole is known.
void Restorer::learnSlice(const Expression &node, const ExpressionPtr &known) {
  const Expression &whole = *node.operands.front();
  std::vector<Piece> &parts = pieces[getKey(whole)];
  parts.push_back({&node, known});
  for (size_t dim = 0; dim < whole.type.shape.size(); ++dim) {
    std::vector<Piece> ranges;
    llvm::copy_if(parts, std::back_inserter(ranges), [dim](const Piece &piece) {
      return isRangeOf(*piece.slice, dim);
    });
    llvm::stable_sort(ranges, [dim](const Piece &a, const Piece &b) {
      return a.slice->offsets[dim] < b.slice->offsets[dim];
    });
    int64_t covered = 0;
    Expression concat = draftOf(Operation::Concat, {});
    concat.dim = dim;
    for (const Piece &piece : ranges)
      if (piece.slice->offsets[dim] == covered) {
        concat.operands.push_back(piece.known);
        covered += piece.slice->type.shape[dim];
      }
    if (covered == whole.type.shape[dim] && !concat.operands.empty())
      return learn(whole, makeOrNull(std::move(concat)));
  }
  block(node);
}

void Restorer::learn(const Expression &node, const ExpressionPtr &known) {
  if (!known)
    return block(node);
  if (node.operation == Operation::Source) {
    restored.try_emplace(node.source, known);
    return;
  }
  if (!learned.insert(getKey(node)).second)
    return;
  switch (node.operation) {
  case Operation::Concat:
    return learnConcat(node, known);
  case Operation::Slice:
    return learnSlice(node, known);
  case Operation::Reshape: {
    Expression back = draftOf(Operation::Reshape, {known});
    back.type.shape = node.operands.front()->type.shape;
    return learn(*node.operands.front(), makeOrNull(std::move(back)));
  }
  case Operation::Transpose: {
    Expression back = draftOf(Operation::Transpose, {known});
    back.permutation.resize(node.permutation.size());
    for (auto [to, from] : llvm::enumerate(node.permutation))
      back.permutation[from] = to;
    return learn(*node.operands.front(), makeOrNull(std::move(back)));
  }
  case Operation::Convert: {
    const Expression &operand = *node.operands.front();
    if (!isWidening(operand.type.element, node.type.element))
      return block(node);
    Expression back = draftOf(Operation::Convert, {known});
    back.type.element = operand.type.element;
    return learn(operand, makeOrNull(std::move(back)));
  }
  default:
    return block(node);
  }
}

void recipe::deriveRestores(Recipe &recipe) {
  Restorer restorer;
  for (const PackedTensor &tensor : recipe.packed) {
    Expression whole;
    whole.source = tensor.name;
    whole.type = tensor.value->type;
    restorer.learn(*tensor.value, makeOrNull(std::move(whole)));
  }
  for (SourceTensor &source : recipe.sources) {
    source.restore = restorer.lookup(source.name);
    source.lost = source.restore ? "" : restorer.explainLoss(source.name);
  }
}
