//===- Group.cpp - visits nodes and groups steps --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Group.h"

#include "llvm/ADT/SetVector.h"

using namespace llvm;
using namespace parablock::raise;

Users::Users(ArrayRef<Term> roots) {
  SetVector<const Node *> work;
  auto use = [&](const Node *node, const Node *by) {
    ++count[node];
    reader[node] = by;
    work.insert(node);
  };
  for (const Term &root : roots)
    use(root.node, nullptr);
  for (size_t i = 0; i < work.size(); ++i) {
    // A node that reads another one twice is one reader.
    SmallPtrSet<const Node *, 4> read;
    for (const Term &operand : work[i]->operands)
      if (read.insert(operand.node).second)
        use(operand.node, work[i]);
  }
}

/// Returns the entry in `known`, or computes it.
static int64_t findTokenWidth(const Node *node,
                              DenseMap<const Node *, int64_t> &known) {
  if (auto found = known.find(node); found != known.end())
    return found->second;
  switch (node->op) {
  case Kind::Leaf:
  case Kind::Linear:
  case Kind::Dropout:
  case Kind::Sdpa:
  case Kind::Cache:
  case Kind::Attention:
  case Kind::Mlp:
  case Kind::Route:
  case Kind::Choice:
  case Kind::Experts:
  case Kind::Moe:
  case Kind::Residual:
  case Kind::Gather:
  case Kind::Embedding:
  case Kind::Head:
    return node->width;
  default:
    break;
  }
  // As wide as the part of a token that is read.
  for (const Term &operand : node->operands) {
    if (operand.node->source != Source::Data || !operand.layout.isInjective() ||
        operand.getSize() != node->size)
      continue;
    int64_t width = findTokenWidth(operand.node, known);
    if (width == 0)
      continue;
    int64_t rows = operand.node->size / width;
    if (node->size % rows == 0)
      return known[node] = node->size / rows;
  }
  return known[node] = 0;
}

int64_t parablock::raise::getTokenWidth(const Node *node) {
  DenseMap<const Node *, int64_t> known;
  return findTokenWidth(node, known);
}

/// Returns `node` with its operands' current replacements.
static const Node *renew(Graph &graph, const Node *node) {
  if (llvm::all_of(node->operands, [&](const Term &operand) {
        return graph.getCurrent(operand.node) == operand.node;
      }))
    return node;
  Node renewed = *node;
  for (Term &operand : renewed.operands)
    operand = graph.getCurrent(operand);
  return graph.supersede(node, std::move(renewed));
}

namespace {
/// The visited node, and its replacement.
class Place {
public:
  Place(Graph &graph, const Node *node) : graph(graph), node(node) {}
  Kind getKind() const { return node->op; }

  /// Calls `group` if the node is unchanged so far.
  template <typename Group, typename... Args>
  void ask(StringLiteral name, Group group, Args &&...args) {
    Explanations::Attempt attempt(graph.explanations, name, getOrigin(node));
    if (std::optional<Node> piece = group(graph, node, args...)) {
      attempt.succeed();
      node = graph.supersede(node, std::move(*piece));
    }
  }

  /// Replaces the node by the result of `change`.
  void renew(function_ref<const Node *(const Node *)> change) {
    node = change(node);
  }

private:
  Graph &graph;
  const Node *node;
};
} // namespace

/// Returns whether only another sum reads `node`, unchanged or times a number:
/// it is then a part of that sum.
static bool isPartOfSum(const Users &users, const Node *node) {
  const Node *reader = users.getOnlyUser(node);
  while (reader && reader->op == Kind::Mul &&
         llvm::any_of(reader->operands,
                      [](const Term &term) { return getSplat(term); }))
    reader = users.getOnlyUser(reader);
  return reader && reader->op == Kind::Add;
}

/// Makes embeddings of row lookups in a sum that is not an embedding as a
/// whole: one addend may be of tokens, and another of their positions. Returns
/// the new sum. Addends in `seen` are unchanged.
static const Node *groupLookups(Graph &graph, const Node *sum,
                                const Users &users,
                                DenseSet<const Node *> &seen) {
  for (const Term &operand : sum->operands) {
    const Node *part = graph.getCurrent(operand).node;
    if (part->source != Source::Data || !users.hasOne(operand.node) ||
        !seen.insert(part).second)
      continue;
    if (part->op == Kind::Add)
      groupLookups(graph, part, users, seen);
    if (part->op == Kind::Gather || part->op == Kind::Mul)
      Place(graph, part).ask("groupEmbedding", groupEmbedding, users);
  }
  return renew(graph, sum);
}

/// Updates that attention takes for caches become pieces.
static void takeCaches(Graph &graph, const Node &sdpa) {
  if (!sdpa.getRole("past_lengths"))
    return;
  for (const Term &operand : ArrayRef(sdpa.operands).drop_front()) {
    const Node *update = graph.getCurrent(operand.node);
    if (update->op != Kind::Update)
      continue;
    Node cache = *update;
    cache.op = Kind::Cache;
    graph.supersede(update, std::move(cache));
  }
}

void parablock::raise::groupAll(Graph &graph, ArrayRef<Term> results,
                                ArrayRef<Term> otherRoots) {
  SmallVector<Term> roots(results);
  roots.append(otherRoots.begin(), otherRoots.end());
  Users users(roots);
  for (const Node *given : graph.getNodes()) {
    Place node(graph, renew(graph, given));
    if (!users.isLive(given))
      continue;
    if (const Home *home = graph.getHome(given))
      if (mlir::Operation *op = home->value.getDefiningOp())
        graph.location = op->getLoc();
    if (node.getKind() == Kind::Sdpa && hasSecondScores(graph, given, users)) {
      graph.leaveAsIs(graph.getCurrent(given));
      continue;
    }
    if (node.getKind() == Kind::Sdpa) {
      takeCaches(graph, *given);
      // Keys of earlier calls are kept as they were rotated.
      bool hasPast =
          given->getRole("past_lengths") || given->getRole("past_key");
      if (!hasPast)
        node.ask("groupAttention", groupAttention);
      if (!hasPast && node.getKind() == Kind::Sdpa)
        node.ask("groupHeads", groupHeads);
    }
    if (node.getKind() == Kind::Linear)
      node.ask("groupOutput", groupOutput);
    if (node.getKind() == Kind::Linear)
      node.ask("groupMlp", groupMlp);
    if (node.getKind() == Kind::ReduceSum && given->size == 1)
      node.ask("groupLoss", groupLoss, roots);
    if (node.getKind() == Kind::Experts)
      node.ask("groupMoe", groupMoe);
    const Node *reader = users.getOnlyUser(given);
    bool isData = given->source == Source::Data;
    if (node.getKind() == Kind::Add && isData && !isPartOfSum(users, given)) {
      node.ask("groupEmbedding", groupEmbedding, users);
      if (node.getKind() == Kind::Add) {
        node.renew([&](const Node *sum) {
          DenseSet<const Node *> seen;
          return groupLookups(graph, sum, users, seen);
        });
        node.ask("groupResidual", groupResidual, users);
      }
    }
    if ((node.getKind() == Kind::Mul || node.getKind() == Kind::Gather) &&
        isData &&
        !(reader && (reader->op == Kind::Add || reader->op == Kind::Mul)))
      node.ask("groupEmbedding", groupEmbedding, users);
  }
  missLosses(graph, results);
  for (const Term &result : results)
    if (const Node *node = getWhole(graph.getCurrent(result)))
      Place(graph, node).ask("groupHead", groupHead);
}
