//===- Adjoints.h - gradients of values under construction ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The adjoint of a value is the gradient of the differentiated result by that
// value. Every reader of the value contributes; the sum is built when the op
// that defines the value requests it, so that contributions can be merged into
// one op: several projections into one linear_sum, slices into one product or
// concatenation.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIFFERENTIATE_ADJOINTS_H
#define PARABLOCK_DIFFERENTIATE_ADJOINTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace parablock::block {

class Adjoints {
public:
  explicit Adjoints(mlir::OpBuilder builder) : builder(builder) {
    scopes.emplace_back();
  }

  //===--------------------------------------------------------------------===//
  // Interface for ops
  //===--------------------------------------------------------------------===//

  /// Returns whether the differentiated result depends on a value that is
  /// differentiated by.
  bool isActive(mlir::Value value) const {
    return value && active.contains(value);
  }

  /// Returns the type of a value's adjoint: f32 for values that depend on
  /// weights alone, else the value's type.
  mlir::RankedTensorType getType(mlir::Value value) const;

  /// Builds the sum of all contributions to `value`, in its adjoint's type, and
  /// removes them; null if there are none.
  mlir::Value take(mlir::Value value);

  /// Adds `factor * adjoint` for an active value, nothing for others.
  void add(mlir::Value value, mlir::Value adjoint, double factor = 1);

  /// Adds `gradient weight`, the adjoint of a row that was multiplied by
  /// `weight`.
  void addProduct(mlir::Value value, mlir::Value gradient, mlir::Value weight);

  /// Adds `adjoint` for a part of `value`.
  void addSlice(mlir::Value value, mlir::Value adjoint,
                llvm::ArrayRef<int64_t> offsets);

  //===--------------------------------------------------------------------===//
  // Interface for the pass
  //===--------------------------------------------------------------------===//

  /// Marks a value, and all results of `ops` that depend on marked values.
  void activate(mlir::Value value) { active.insert(value); }
  void activateResults(llvm::ArrayRef<mlir::Operation *> ops);

  /// Defers additions to outer adjoints until the region is closed.
  void openRegion() { scopes.emplace_back(); }
  /// Builds the remaining sums, for outer values.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> closeRegion();

  mlir::OpBuilder builder;
  /// Location of the op whose adjoints are built.
  mlir::Location loc = builder.getUnknownLoc();

private:
  struct Contribution {
    mlir::Value adjoint;
    double factor = 1;
    /// A weight that the adjoint must still be multiplied by.
    mlir::Value weight;
    /// Offset of the adjoint within the value; empty if it covers all of it.
    llvm::SmallVector<int64_t> offsets;
  };
  using Contributions = llvm::SmallVector<Contribution, 2>;

  mlir::Value build(mlir::Value value, Contributions &contributions);
  mlir::Value buildProducts(mlir::Value value,
                            llvm::ArrayRef<Contribution> products);
  mlir::Value buildSlices(mlir::Value value,
                          llvm::ArrayRef<Contribution> slices);
  mlir::Value buildSum(mlir::RankedTensorType type,
                       llvm::ArrayRef<Contribution> summands);

  llvm::DenseSet<mlir::Value> active;
  llvm::SmallVector<llvm::MapVector<mlir::Value, Contributions>> scopes;
};

/// Builds the matrix `[in, out]` of the weight `[out, in]`; if the weight is
/// itself a transposition, or a part of one, returns its source.
mlir::Value transposeWeight(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value weight);

} // namespace parablock::block

#endif // PARABLOCK_DIFFERENTIATE_ADJOINTS_H
