//===- SimplifiedParameters.h - parameters of a changed layer ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_SIMPLIFIEDPARAMETERS_H
#define PARABLOCK_LIB_TRANSFORMS_SIMPLIFIEDPARAMETERS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// The arguments of a function whose architecture changes: new ones are
/// appended, and those that lose their last reader are removed.
class SimplifiedParameters {
public:
  explicit SimplifiedParameters(mlir::FunctionOpInterface function)
      : function(function), known(function.getNumArguments()) {}

  /// A new parameter that starts as `start` everywhere.
  mlir::Value add(const llvm::Twine &name, mlir::RankedTensorType type,
                  double start);

  /// Returns `weight` with its own parameter: the existing one if it holds
  /// nothing else, else a new one called `name`.
  mlir::Value separate(mlir::Value weight, const llvm::Twine &name);

  /// Makes the parameter that `weight` is all of start as `start` everywhere.
  void setStart(mlir::Value weight, double start);

  /// Erases the parameters that nothing reads any more.
  void eraseUnread();

private:
  mlir::Value append(const llvm::Twine &name, mlir::RankedTensorType type,
                     InitAttr init);

  mlir::FunctionOpInterface function;
  /// How many arguments the function had.
  unsigned known;
};

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_SIMPLIFIEDPARAMETERS_H
