//===- Emitter.h - block ops from recognised pieces -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_EMITTER_H
#define PARABLOCK_LIB_RAISE_EMITTER_H

#include "Graph.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace parablock::raise {

class Emitter {
public:
  Emitter(Graph &graph, mlir::OpBuilder builder);

  /// `term` as a tensor of `type`, or null where it cannot be written.
  mlir::Value emit(const Term &term, mlir::RankedTensorType type);
  /// True where `node` is a piece whose op was made.
  bool isBuilt(const Node *node) const { return built.contains(node); }

private:
  // Emitter.cpp
  mlir::Value emitNode(Node *node);
  mlir::Value build(Node *node);
  mlir::RankedTensorType getType(const Node *node, int64_t width);
  /// Operand `term` as rows of `width`, a matrix or a vector.
  mlir::Value emitRows(const Term &term, int64_t width);
  mlir::Value emitMatrix(const Term &term, int64_t columns);
  mlir::Value emitVector(const Term &term);
  mlir::Value emitRole(const Node *node, llvm::StringRef role, int64_t columns);
  /// A table of a rotation, `[1 or B, T, columns]`.
  mlir::Value emitTable(const Node *node, llvm::StringRef role, int64_t rows);
  /// Rows of a piece whose result has their type: 16 bits where the result is
  /// rounded to them, else 32.
  mlir::Value emitTyped(const Node *node, const Term &term, int64_t width);
  mlir::Value emitIntegers(const Term &term, llvm::ArrayRef<int64_t> shape);
  mlir::Value emitCounts(const Node *node, llvm::StringRef role);
  mlir::Value emitScoreBias(const Node *node, llvm::ArrayRef<int64_t> shape);

  // EmitComputed.cpp
  /// What the function has in no value of its own, in `arith` on tensors.
  mlir::Value emitComputed(Node *node);
  mlir::Value emitNumbers(const Node *node, mlir::Type element);
  mlir::Value emitFloats(const Term &term);
  mlir::Value emitTruth(const Term &term);

  // EmitPieces.cpp
  /// Of a projection: rows, matrix and bias, which may be null; none where one
  /// of them cannot be written.
  struct Projection {
    mlir::Value input, weight, bias;
  };
  std::optional<Projection> emitProjection(const Node *node);
  mlir::Value buildLinear(Node *node);
  mlir::Value buildNorm(Node *node);
  mlir::Value buildElementwise(Node *node);
  mlir::Value buildRope(Node *node);
  mlir::Value buildSdpa(Node *node);
  mlir::Value buildAttention(Node *node);
  mlir::Value buildMlp(Node *node);
  mlir::Value buildResidual(Node *node);
  mlir::Value buildEmbedding(Node *node);
  mlir::Value buildHead(Node *node);

  // EmitViews.cpp
  /// `source`, whose elements `layout` reads in row-major order, as `shape`.
  mlir::Value emitView(mlir::Value source, const Layout &layout,
                       llvm::ArrayRef<int64_t> shape);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);

  Graph &graph;
  mlir::OpBuilder builder;
  llvm::DenseMap<Node *, mlir::Value> emitted;
  llvm::DenseSet<Node *> impossible;
  llvm::DenseSet<const Node *> built;
  /// What the function rounds to 16 bits, and the rounded one.
  llvm::DenseMap<const Node *, Node *> rounded;
  /// The value that holds a node, or its rounded one where nothing else reads
  /// it: matching looks through roundings.
  mlir::Value getHome(const Node *node) const;
};

/// True for the result of a piece in its 16-bit type.
bool isRoundedPiece(const Node *node);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_EMITTER_H
