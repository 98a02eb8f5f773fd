//===- Group.cpp - steps of a block become its parts ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Group.h"

#include "llvm/ADT/SetVector.h"

using namespace llvm;
using namespace parablock::raise;

Users::Users(const Graph &graph, ArrayRef<Term> roots) {
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

int64_t parablock::raise::getTokenWidth(const Node *node) {
  switch (node->op) {
  case Kind::Leaf:
  case Kind::Linear:
  case Kind::Sdpa:
  case Kind::Attention:
  case Kind::Mlp:
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
    int64_t width = getTokenWidth(operand.node);
    if (width == 0)
      continue;
    int64_t rows = operand.node->size / width;
    if (node->size % rows == 0)
      return node->size / rows;
  }
  return 0;
}

void parablock::raise::groupAll(Graph &graph, ArrayRef<Term> results,
                                ArrayRef<Term> otherRoots) {
  SmallVector<Term> roots(results);
  roots.append(otherRoots.begin(), otherRoots.end());
  Users users(graph, roots);
  for (Node *node : graph.getNodes()) {
    if (!users.isLive(node))
      continue;
    if (node->home)
      if (mlir::Operation *op = node->home.getDefiningOp())
        *graph.location = op->getLoc();
    if (node->op == Kind::Sdpa)
      groupAttention(graph, node);
    if (node->op == Kind::Linear)
      groupOutput(graph, node);
    if (node->op == Kind::Linear)
      groupMlp(graph, node);
    // A sum that only another sum reads is a part of that one.
    const Node *reader = users.getOnlyUser(node);
    if (node->op == Kind::Add && node->source == Source::Data &&
        !(reader && reader->op == Kind::Add)) {
      groupEmbedding(graph, node, users);
      if (node->op == Kind::Add)
        groupResidual(graph, node, users);
    }
    if ((node->op == Kind::Mul || node->op == Kind::Gather) &&
        node->source == Source::Data &&
        !(reader && (reader->op == Kind::Add || reader->op == Kind::Mul)))
      groupEmbedding(graph, node, users);
  }
  for (const Term &result : results)
    if (Node *node = getWhole(result))
      groupHead(graph, node);
}
