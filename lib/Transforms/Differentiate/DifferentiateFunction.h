//===- DifferentiateFunction.h - backward half ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_DIFFERENTIATEFUNCTION_H
#define PARABLOCK_LIB_DIFFERENTIATE_DIFFERENTIATEFUNCTION_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace parablock::block {

/// A result that is differentiated, and its adjoint.
struct Seed {
  unsigned result;
  mlir::Value adjoint;
};

/// Builds, before the return of `function`, which has one block, the gradients
/// by its arguments `wrt`: one for each, null if no seeded result depends on
/// it. Fails, with an error at the op, if an op in between has no gradient.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
differentiate(mlir::FunctionOpInterface function, llvm::ArrayRef<Seed> seeds,
              llvm::ArrayRef<unsigned> wrt);

/// Makes layers return the values that later ones read, and erases unread
/// values. Must be called when the gradients are returned.
void closeLayers(mlir::FunctionOpInterface function);

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_DIFFERENTIATEFUNCTION_H
