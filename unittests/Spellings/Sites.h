//===- Sites.h - places for other spellings of a module ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_SPELLINGS_SITES_H
#define PARABLOCK_UNITTESTS_SPELLINGS_SITES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>
#include <optional>
#include <vector>

namespace parablock::spellings {

/// One change of one place. Whether it keeps the meaning is its rule's matter.
struct Site {
  llvm::StringRef rule;
  mlir::Operation *op;
  std::function<void()> apply;
};
using Sites = std::vector<Site>;

/// Changes of form: the module computes what it computed, in real numbers.
Sites findRespellings(mlir::ModuleOp module);
/// Changes of one constant, predicate, operand order or function, most of which
/// change what is computed. (`second-user` does not, but gives a value to the
/// caller that was only inside.)
Sites findMutations(mlir::ModuleOp module);

/// A generic on its own index space, with one result and a body of one op
/// before the yield.
std::optional<mlir::Operation *> getOnlyBodyOp(mlir::Operation *op);

/// Two operands of one type are combined, elementwise, into a third of it.
bool isPlainBinary(mlir::Operation *op, llvm::StringRef tosaName,
                   llvm::StringRef scalarName);

/// Every element is multiplied by one number; this is it.
std::optional<double> getFactor(mlir::Operation *op);
/// Finds what is multiplied.
mlir::Value getScaled(mlir::Operation *op);

/// `value` times `factor`, as ops of the same dialect as `like`.
mlir::Value scaleLike(mlir::Operation *like, mlir::OpBuilder &builder,
                      mlir::Value value, double factor);

/// The number that a splat or scalar constant holds.
std::optional<double> getConstant(mlir::Value value);

} // namespace parablock::spellings

#endif // PARABLOCK_UNITTESTS_SPELLINGS_SITES_H
