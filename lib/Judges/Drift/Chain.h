//===- Chain.h - a model as a chain of sublayers ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Drift is measured and corrected on the chain x0 -A0- x1 -F0- x2 -A1- ... of a
// model: each link adds the result of one branch to the stream. What stands
// before the first link and behind the last one is run as it is.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_CHAIN_H
#define PARABLOCK_LIB_DRIFT_CHAIN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Analysis/SerialForm.h"

namespace parablock::drift {

/// A projection inside an attention or MLP by the name of its operand without
/// `_weight`: q, k, v, o, up, gate, down. No bias: a null value.
struct Projection {
  llvm::StringRef name;
  mlir::Value weight, bias;
};

/// `y = skipScale * x + branchScale * branch(x)`, where the branch is `head`
/// (norms), an attention or MLP, and `tail` (gains, norms). With a post-norm, y
/// is the norm of that sum.
///
/// A block.attention or block.mlp is `op`. Any other form, such as latent
/// attention or experts, is `steps` from `input` to `features`; `op` is the
/// last op, an output projection if `output` has a weight. No input projections
/// of it are known.
struct Sublayer {
  block::LayerOp layer;
  BranchKind kind = BranchKind::Other;
  mlir::Operation *op = nullptr;
  llvm::SmallVector<mlir::Operation *, 2> head, tail;
  /// The post-norm, or empty.
  llvm::SmallVector<mlir::Operation *, 1> postNorm;
  llvm::SmallVector<mlir::Operation *, 0> steps;
  /// Behind the head, before the output projection, and before the tail.
  mlir::Value input, features, result;
  llvm::SmallVector<Projection, 3> inputs;
  /// Without a weight where there is no output projection.
  Projection output;
  /// Values that `op` or `steps` read beside input and projections: made of
  /// weights alone, or of inputs alone.
  llvm::SmallVector<mlir::Value> others;
  mlir::Value stream;
  block::ResidualOp residual;
  double skipScale = 1, branchScale = 1;

  /// Returns the factor of x in y; 1 if y is a norm.
  double getStreamFactor() const { return postNorm.empty() ? skipScale : 1; }
  /// Returns the stream behind the sublayer.
  mlir::Value getResult() const {
    return postNorm.empty() ? residual->getResult(0)
                            : postNorm.back()->getResult(0);
  }
  bool isAttention() const { return kind == BranchKind::Attention; }
  /// Returns whether a bias can be added to a projection that has none.
  bool takesBiases() const { return steps.empty(); }
  int64_t getWidth() const {
    return llvm::cast<mlir::RankedTensorType>(input.getType())
        .getShape()
        .back();
  }
  /// Returns whether experts are part of it, and whether an op chooses them.
  bool hasExperts() const;
  bool hasRouter() const;
  /// Returns the mixture of experts that it consists of; null if it is of any
  /// other form, or reads a weight in two places.
  block::MoeOp getMixture() const;
  /// Returns the place of a weight in `others`.
  size_t findOther(mlir::Value value) const {
    return llvm::find(others, value) - others.begin();
  }
  /// Returns whether experts of it are chosen by its input.
  bool readsByRouter() const;
  /// Returns the name of the sublayer's form, such as "experts".
  llvm::StringRef describe() const;
  int64_t getLayerIndex() const {
    return static_cast<int64_t>(block::LayerOp(layer).getIndex());
  }
};

/// One link: a sublayer, or a layer that is none or more than one and is run
/// whole, with the reason why.
struct Link {
  std::optional<Sublayer> sublayer;
  block::LayerOp whole;
  Reason reason = Reason::UnknownForm;
  mlir::Value input, output;
};

/// Two neighbouring links to run side by side, the first one at `position`.
struct Candidate {
  size_t position;
  LayerPair pair;
};

struct Chain {
  mlir::func::FuncOp function;
  std::vector<Link> links;

  mlir::Value getFirst() const { return links.front().input; }
  mlir::Value getLast() const { return links.back().output; }
  /// Every pair that can be formed, in order; shifted ones and block ones.
  std::vector<Candidate> findCandidates() const;
};

/// The chain of a function of level 1; an error where its layers do not form
/// one.
llvm::Expected<Chain> buildChain(mlir::func::FuncOp function);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_CHAIN_H
