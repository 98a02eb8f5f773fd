//===- Emitter.h - block ops from recognised pieces -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_EMITTER_H
#define PARABLOCK_LIB_RAISE_EMITTER_H

#include "Graph.h"
#include "mlir/IR/Builders.h"

namespace parablock::raise {

/// Emits nodes as values: pieces as their ops, other nodes as in the function,
/// or computed. Each node is emitted once.
class Emitter {
public:
  Emitter(const Graph &graph, mlir::OpBuilder builder);

  /// Returns `term` as a tensor of `type`, or null if it cannot be emitted; new
  /// ops get `loc`.
  mlir::Value emit(const Term &term, mlir::RankedTensorType type,
                   mlir::Location loc);
  /// The tensor that holds a node's elements in order.
  mlir::Value emitNode(const Node *node, mlir::Location loc);
  /// Returns whether `node` is a piece whose op was created.
  bool isBuilt(const Node *node) const {
    return built.contains(graph.getCurrent(node));
  }
  /// True where the function rounds `node` to 16 bits.
  bool isRounded(const Node *node) const { return rounded.contains(node); }

  const Graph &graph;
  mlir::OpBuilder builder;

private:
  mlir::Value getHome(const Node *node) const;
  mlir::Value emitPiece(const Node *node, mlir::Location loc);
  mlir::Value emitHome(const Node *node, mlir::Location loc);

  llvm::DenseMap<const Node *, mlir::Value> emitted;
  llvm::DenseSet<const Node *> impossible, built;
  /// Values that the function rounds to 16 bits, and the rounded ones.
  llvm::DenseMap<const Node *, const Node *> rounded;
};

/// Builds the op of a recognised piece, or returns a null value if an operand
/// cannot be emitted.
mlir::Value buildPiece(Emitter &emitter, const Node *node, mlir::Location loc);

/// Builds the op of a loss, in the same way.
mlir::Value buildLoss(Emitter &emitter, const Node *node, mlir::Location loc);

/// Computes a node without a value in the function, in `arith` on tensors.
mlir::Value emitComputed(Emitter &emitter, const Node *node,
                         mlir::Location loc);

/// True for the result of a piece in its 16-bit type.
bool isRoundedPiece(const Node *node);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_EMITTER_H
