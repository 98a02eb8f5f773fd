//===- GroupResidual.cpp - groups sums of a stream and branches -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
#include "Recognise.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Returns true for updates of a stream: attention, MLP, experts or projection,
/// possibly followed by a norm or a gain.
static bool isBranch(const Node *node, const Users &users) {
  switch (node->op) {
  case Kind::Attention:
  case Kind::Mlp:
  case Kind::Experts:
  case Kind::Moe:
    return true;
  case Kind::Linear:
  case Kind::Sdpa:
    // A value with other readers may be anything, such as the x of x + a x^3.
    return users.hasOne(node);
  case Kind::Norm:
  case Kind::Scale:
  case Kind::Dropout:
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

/// Makes a gain for each channel of a branch a separate node.
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

/// Vectors that are added to a sum of rows, taken out of it.
static SmallVector<Addend> takeBiases(Sum &sum, int64_t width) {
  SmallVector<Addend> biases;
  llvm::erase_if(sum.addends, [&](const Addend &addend) {
    bool isBias = addend.term.node->source != Source::Data &&
                  addend.coefficient == 1 &&
                  getRowPart(addend.term.layout, width);
    if (isBias)
      biases.push_back(addend);
    return isBias;
  });
  return biases;
}

/// Returns branches with the late biases assigned, each to a branch without
/// one; none if a bias remains. Changes nothing yet.
static std::optional<llvm::MapVector<Addend *, Node>>
giveBiases(ArrayRef<Addend> biases, int64_t width, ArrayRef<Addend *> branches,
           const Users &users) {
  llvm::MapVector<Addend *, Node> biased;
  for (const Addend &bias : biases) {
    auto takes = [&](Addend *branch) {
      StringRef role = getBiasRole(branch->term.node);
      return branch->coefficient == 1 && !role.empty() &&
             !branch->term.node->getRole(role) && !biased.count(branch) &&
             users.hasOne(branch->term.node);
    };
    auto found = llvm::find_if(branches, takes);
    if (found == branches.end())
      return std::nullopt;
    Node branch = *(*found)->term.node;
    branch.addRole(getBiasRole(&branch),
                   {bias.term.node, *getRowPart(bias.term.layout, width)});
    biased.insert({*found, std::move(branch)});
  }
  return biased;
}

/// Puts gated MLPs beside experts into these.
static void joinShared(Graph &graph, Sum &sum, const Users &users) {
  for (Addend &experts : sum.addends) {
    const Node *moe = getWhole(experts.term);
    if (!moe || moe->op != Kind::Moe || !users.hasOne(moe))
      continue;
    for (size_t i = 0; i < sum.addends.size(); ++i) {
      const Addend &shared = sum.addends[i];
      if (shared.term.node->op != Kind::Mul ||
          shared.coefficient != experts.coefficient)
        continue;
      std::optional<Node> whole = groupShared(graph, moe, shared.term);
      if (!whole)
        continue;
      experts.term.node = graph.addVariant(moe, std::move(*whole));
      sum.addends.erase(sum.addends.begin() + static_cast<ptrdiff_t>(i));
      return joinShared(graph, sum, users);
    }
  }
}

std::optional<Node> parablock::raise::groupResidual(Graph &graph,
                                                    const Node *node,
                                                    const Users &users) {
  Term term{node, Layout::identity(node->size)};
  Sum sum = getSum(graph, term,
                   [&](const Node *inner) { return users.hasOne(inner); });
  if (sum.constant != 0)
    return graph.wanted("a sum without a number", term);
  joinShared(graph, sum, users);
  int64_t width = 0;
  for (const Addend &addend : sum.addends)
    if (const Node *whole = getWhole(addend.term))
      width = std::max(width, getTokenWidth(whole));
  if (width == 0)
    return graph.wanted("an addend of known width for each token", term);
  for (Addend &addend : sum.addends)
    groupScale(graph, addend, width, users);
  SmallVector<Addend> biases = takeBiases(sum, width);
  Addend *stream = nullptr;
  SmallVector<Addend *> branches;
  for (Addend &addend : sum.addends) {
    if (!getWhole(addend.term))
      return graph.wanted("addends that are read whole", addend.term);
    if (isBranch(addend.term.node, users))
      branches.push_back(&addend);
    else if (stream)
      return graph.wanted("branches beside one stream", addend.term);
    else
      stream = &addend;
  }
  if (branches.empty() || branches.size() + (stream ? 1 : 0) < 2)
    return graph.wanted("an attention, an MLP or a projection that is added",
                        term);
  graph.found("a stream and its branches");
  auto biased = giveBiases(biases, width, branches, users);
  if (!biased)
    return graph.wanted("a branch for each bias that is added late", term);
  for (auto &[addend, branch] : *biased)
    addend->term.node = graph.addVariant(addend->term.node, std::move(branch));
  if (!stream) {
    stream = branches.front();
    branches.erase(branches.begin());
  }
  Node residual = *node;
  residual.op = Kind::Residual;
  residual.width = width;
  residual.operands = {stream->term};
  SmallVector<double> factors = {stream->coefficient};
  for (const Addend *branch : branches) {
    residual.operands.push_back(branch->term);
    factors.push_back(branch->coefficient);
  }
  residual.form = mlir::Builder(graph.context).getF64ArrayAttr(factors);
  return residual;
}
