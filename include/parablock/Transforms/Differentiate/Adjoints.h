//===- Adjoints.h - what a gradient is collected in -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The adjoint of a value is the gradient by it of what is differentiated. All
// that read the value contribute; the sum is built when the op that made the
// value asks for it, so that contributions can become one op: several
// projections one linear_sum, slices one product or concatenation.
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
  // What ops say
  //===--------------------------------------------------------------------===//

  /// Tells whether a value depends on what is differentiated by.
  bool isActive(mlir::Value value) const {
    return value && active.contains(value);
  }

  /// The type of the adjoint of a value: f32 of what weights alone decide, else
  /// that of the value.
  mlir::RankedTensorType getType(mlir::Value value) const;

  /// Builds the sum of all that was added for `value`, in its adjoint's type,
  /// and forgets it; null where nothing was.
  mlir::Value take(mlir::Value value);

  /// Adds `factor * adjoint` for an active value, nothing for another.
  void add(mlir::Value value, mlir::Value adjoint, double factor = 1);

  /// Adds `gradient weight`, that of a row by which `weight` was multiplied.
  void addProduct(mlir::Value value, mlir::Value gradient, mlir::Value weight);

  /// Adds `adjoint` for a part of `value`.
  void addSlice(mlir::Value value, mlir::Value adjoint,
                llvm::ArrayRef<int64_t> offsets);

  //===--------------------------------------------------------------------===//
  // What the pass says
  //===--------------------------------------------------------------------===//

  /// Marks a value, and then all that `ops` make of such.
  void activate(mlir::Value value) { active.insert(value); }
  void activateResults(llvm::ArrayRef<mlir::Operation *> ops);

  /// Adds nothing to adjoints outside until the region is closed.
  void openRegion() { scopes.emplace_back(); }
  /// Builds the sums that are left, of values from outside.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> closeRegion();

  mlir::OpBuilder builder;
  /// The place of the op whose adjoints are built.
  mlir::Location loc = builder.getUnknownLoc();

private:
  struct Contribution {
    mlir::Value adjoint;
    double factor = 1;
    /// The weight that the adjoint is still to be multiplied by.
    mlir::Value weight;
    /// Where the adjoint stands in the value; all of it where empty.
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

/// Builds the matrix `[in, out]` of the weight `[out, in]`: what it is the
/// transposition of, where it is one, or a part of one.
mlir::Value transposeWeight(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value weight);

} // namespace parablock::block

#endif // PARABLOCK_DIFFERENTIATE_ADJOINTS_H
