//===- GroupResidual.cpp - sums of a stream and its branches --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
#include "Recognise.h"
#include "mlir/IR/Builders.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// True for what updates a stream: attention, MLP or projection, perhaps behind
/// a norm or a gain.
static bool isBranch(const Node *node, const Users &users) {
  switch (node->op) {
  case Kind::Attention:
  case Kind::Mlp:
    return true;
  case Kind::Linear:
  case Kind::Sdpa:
    // What others read as well may be anything, the x of x + a x^3 for example.
    return users.hasOne(node);
  case Kind::Norm:
  case Kind::Scale:
  case Kind::Round:
    return isBranch(node->operands[0].node, users);
  default:
    return false;
  }
}

/// The role of the bias of a node's last projection.
static StringRef getBiasRole(const Node *node) {
  switch (node->op) {
  case Kind::Attention:
    return node->getRole("o") ? "o_bias" : "";
  case Kind::Mlp:
    return "down_bias";
  case Kind::Linear:
    return "bias";
  default:
    return "";
  }
}

/// A gain for each channel of a branch becomes a node of its own.
static void groupScale(Graph &graph, Addend &addend, int64_t width,
                       const Users &users) {
  Product product = getProduct(graph, addend.term);
  if (product.factors.size() != 2 || getWhole(addend.term) == nullptr)
    return;
  int branch = product.find([&](const Factor &factor) {
    return factor.exponent == 1 && isBranch(factor.term.node, users) &&
           getWhole(factor.term);
  });
  if (branch < 0)
    return;
  const Factor &gain = product.factors[1 - branch];
  if (gain.exponent != 1 || gain.term.node->source == Source::Data)
    return;
  std::optional<Layout> part = getRowPart(gain.term.layout, width);
  if (!part)
    return;
  Node scale;
  scale.op = Kind::Scale;
  scale.size = product.factors[branch].term.getSize();
  // A gain of one element is for all channels.
  Layout vector = part->isBroadcast() ? Layout({}, part->getOffset()) : *part;
  scale.operands = {product.factors[branch].term, {gain.term.node, vector}};
  scale.value = product.coefficient;
  // A branch is rounded where it is scaled, too.
  scale.type = product.factors[branch].term.node->type;
  addend.term = graph.make(scale);
}

void parablock::raise::groupResidual(Graph &graph, Node *node,
                                     const Users &users) {
  Term term{node, Layout::identity(node->size)};
  Sum sum = getSum(graph, term,
                   [&](const Node *inner) { return users.hasOne(inner); });
  if (sum.constant != 0)
    return;
  int64_t width = 0;
  for (const Addend &addend : sum.addends)
    if (Node *whole = getWhole(addend.term))
      width = std::max(width, getTokenWidth(whole));
  if (width == 0)
    return;
  for (Addend &addend : sum.addends)
    groupScale(graph, addend, width, users);
  // Biases that are added late belong to a branch that has none.
  SmallVector<Addend> biases;
  llvm::erase_if(sum.addends, [&](const Addend &addend) {
    bool isBias = addend.term.node->source != Source::Data &&
                  addend.coefficient == 1 &&
                  getRowPart(addend.term.layout, width);
    if (isBias)
      biases.push_back(addend);
    return isBias;
  });
  const Addend *stream = nullptr;
  SmallVector<const Addend *> branches;
  for (const Addend &addend : sum.addends) {
    if (!getWhole(addend.term))
      return;
    if (isBranch(addend.term.node, users))
      branches.push_back(&addend);
    else if (stream)
      return;
    else
      stream = &addend;
  }
  if (branches.empty() || branches.size() + (stream ? 1 : 0) < 2)
    return;
  for (const Addend &bias : biases) {
    auto takes = [&](const Addend *branch) {
      StringRef role = getBiasRole(branch->term.node);
      return branch->coefficient == 1 && !role.empty() &&
             !branch->term.node->getRole(role) &&
             users.hasOne(branch->term.node);
    };
    auto found = llvm::find_if(branches, takes);
    if (found == branches.end())
      return;
    Node *branch = (*found)->term.node;
    branch->addRole(getBiasRole(branch),
                    {bias.term.node, *getRowPart(bias.term.layout, width)});
  }
  if (!stream) {
    stream = branches.front();
    branches.erase(branches.begin());
  }
  node->op = Kind::Residual;
  node->width = width;
  node->operands = {stream->term};
  SmallVector<double> factors = {stream->coefficient};
  for (const Addend *branch : branches) {
    node->operands.push_back(branch->term);
    factors.push_back(branch->coefficient);
  }
  node->form = mlir::Builder(graph.context).getF64ArrayAttr(factors);
}
