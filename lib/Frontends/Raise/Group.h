//===- Group.h - grouping of steps ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// After a function has been imported, its projections, norms, rotations and so
// on are grouped. From its beginning to its end, each node is visited with the
// current replacements of its operands, and is replaced by a larger piece.
// Operands:
//
//   Attention   input; roles memory, q, k, v, o, q_bias, ...; extents {heads,
//               kv_heads, rows of rotation tables, sizes of the score bias};
//               form a dictionary of the structured attributes
//   Mlp         input; roles up, gate, down, up_bias, gate_bias, down_bias;
//               form an ActivationAttr; value how far off the activation is
//   Moe         those of Experts, but a router's weight in place of Choice and
//               of weights; roles of Route, router_bias, shared_up,
//               shared_gate, shared_down, shared_router; form a dictionary of
//               the structured attributes
//   Residual    stream, branches; form the factors of all of them
//   Scale       x, gain; value the factor
//   Embedding   ids, table; roles positions, type, type_ids; value the scale;
//               extents {offset of the positions, id of padding if positions
//               count real tokens}; form a SinusoidAttr
//   Head        input, weight; role bias; value the scale; form the soft cap
//   CrossEntropy  as a head; role targets; extents {number of rows without one}
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_GROUP_H
#define PARABLOCK_LIB_RAISE_GROUP_H

#include "Graph.h"

namespace parablock::raise {

/// Number of reads of each node by results of the function and by operations
/// that are not understood.
class Users {
public:
  explicit Users(llvm::ArrayRef<Term> roots);
  bool isLive(const Node *node) const { return count.count(getOrigin(node)); }
  bool hasOne(const Node *node) const {
    return count.lookup(getOrigin(node)) == 1;
  }
  /// The only reader, if that is a node.
  const Node *getOnlyUser(const Node *node) const {
    return hasOne(node) ? reader.lookup(getOrigin(node)) : nullptr;
  }

private:
  llvm::DenseMap<const Node *, const Node *> reader;
  llvm::DenseMap<const Node *, unsigned> count;
};

/// Returns the ids for `ids < 0 ? ids + rows : ids`, if they are an argument:
/// negative ones are not positions.
Term stripWrap(Graph &graph, const Term &ids);

/// The node that `term` reads from its first element to its last, or null.
const Node *getWhole(const Term &term);

/// Returns how many rows the tables of a rotation of rows of `width` have: one
/// for each token, or for each token of the batch; 0 for other positions.
int64_t getTableRows(const Graph &graph, const Node *rope, int64_t width);

/// A projection: its input, and the weight and bias of the columns in a
/// term.
struct Projection {
  Term input, weight, bias;
  int64_t width, depth;
};
std::optional<Projection> getProjection(Graph &graph, const Term &term);

/// Each returns the piece that a node completes, or none. Queries, keys and
/// values with their projections:
std::optional<Node> groupAttention(Graph &graph, const Node *sdpa);
/// Groups heads without separate projections: from the projections of their
/// parts.
std::optional<Node> groupHeads(Graph &graph, const Node *sdpa);
/// Returns whether the result of `sdpa` is multiplied by a function of its
/// queries and keys, such as a sink as a function of the logarithm of the sum:
/// then its scores would be computed twice. Records the candidate.
bool hasSecondScores(Graph &graph, const Node *sdpa, const Users &users);
/// A projection of an attention's heads.
std::optional<Node> groupOutput(Graph &graph, const Node *linear);
std::optional<Node> groupMlp(Graph &graph, const Node *linear);
/// Experts of rows that a projection of the same rows chooses.
std::optional<Node> groupMoe(Graph &graph, const Node *experts);
/// Experts together with `shared`, an MLP of the same rows times the sigmoid of
/// a projection onto one column.
std::optional<Node> groupShared(Graph &graph, const Node *moe,
                                const Term &shared);
/// A bias that is added late becomes one of a variant of its branch.
std::optional<Node> groupResidual(Graph &graph, const Node *sum,
                                  const Users &users);
std::optional<Node> groupEmbedding(Graph &graph, const Node *node,
                                   const Users &users);
std::optional<Node> groupHead(Graph &graph, const Node *node);
/// A sum over rows of cross entropies of logits that only this sum reads, of
/// all nodes that `roots` read.
std::optional<Node> groupLoss(Graph &graph, const Node *sum,
                              llvm::ArrayRef<Term> roots);

/// Records a result of the function that is another loss of a projection.
void missLosses(Graph &graph, llvm::ArrayRef<Term> results);

/// Everything above, in order.
void groupAll(Graph &graph, llvm::ArrayRef<Term> results,
              llvm::ArrayRef<Term> otherRoots);

/// Returns the number of elements per token in a node; 0 if unknown.
int64_t getTokenWidth(const Node *node);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_GROUP_H
