//===- Leftovers.cpp - classifies leftover ops ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Leftovers/Leftovers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace parablock;

bool parablock::isLeftover(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, index::IndexDialect,
                         linalg::LinalgDialect, math::MathDialect,
                         tensor::TensorDialect, tosa::TosaDialect>(
      op->getDialect());
}

bool parablock::isRemade(Operation *op) {
  if (!isLeftover(op))
    return false;
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<linalg::FillOp, tensor::EmptyOp, tensor::SplatOp>(op) ||
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

bool parablock::isReadBy(Value value,
                         function_ref<bool(Operation *, Operation *)> counts) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i)
    for (Operation *user : seen[i].getUsers()) {
      while (isLeftover(user->getParentOp()))
        user = user->getParentOp();
      // A reader of a recomputed value contains the op that defines it.
      if (counts(seen[i].getDefiningOp(), user)) {
        if (!isRemade(user))
          return true;
        seen.insert_range(user->getResults());
      }
    }
  return false;
}

bool parablock::isElementwise(Operation *op) {
  // These ops lack a trait.
  return isa<tosa::MulOp, tosa::CastOp>(op) ||
         op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>() ||
         op->hasTrait<OpTrait::Elementwise>();
}
