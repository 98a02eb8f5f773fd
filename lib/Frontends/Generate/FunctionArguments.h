//===- FunctionArguments.h - inputs and parameters of @main -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_FUNCTIONARGUMENTS_H
#define PARABLOCK_LIB_GENERATE_FUNCTIONARGUMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Support/DrawTensor.h"
#include "llvm/ADT/StringMap.h"

namespace parablock::generate {

/// Grows the signature of a function while its body is being built. Inputs come
/// first; a parameter becomes an argument at its first use.
class FunctionArguments {
public:
  FunctionArguments(mlir::func::FuncOp function, mlir::Type elementType);

  mlir::Type getElementType() const { return elementType; }
  mlir::func::FuncOp getFunction() const { return function; }

  /// `dims` names the dynamic dimensions. Without a `rule` the input has no
  /// block.init.
  mlir::Value addInput(llvm::StringRef name, mlir::RankedTensorType type,
                       llvm::ArrayRef<llvm::StringRef> dims,
                       const DrawRule *rule = nullptr);

  /// Returns the parameter of that checkpoint name, one argument per name. Its
  /// first user determines the rule. A request with another shape is an error.
  mlir::Value getParameter(llvm::StringRef name, mlir::RankedTensorType type,
                           const DrawRule &rule);
  mlir::Value getParameter(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                           const DrawRule &rule) {
    return getParameter(name, mlir::RankedTensorType::get(shape, elementType),
                        rule);
  }

  /// Reports why the function cannot be built.
  void refuse(const llvm::Twine &message);

  /// Sets the function's type and attributes; fails after an earlier
  /// error.
  mlir::LogicalResult finish(mlir::TypeRange results,
                             llvm::ArrayRef<llvm::StringRef> outputNames);

private:
  mlir::Value addArgument(mlir::Type type,
                          llvm::ArrayRef<mlir::NamedAttribute> attributes);
  mlir::NamedAttribute getInit(const DrawRule &rule);

  mlir::func::FuncOp function;
  mlir::Type elementType;
  mlir::SmallVector<mlir::Attribute> attributes;
  llvm::StringMap<mlir::Value> parameters;
  bool hadError = false;
};

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_FUNCTIONARGUMENTS_H
