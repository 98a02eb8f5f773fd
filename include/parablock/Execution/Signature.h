//===- Signature.h - arguments and results of a function --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_SIGNATURE_H
#define PARABLOCK_EXECUTION_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace parablock::runner {

/// An argument or result, with its name in files and messages.
struct Port {
  std::string name;
  ElementType type = ElementType::F32;
  /// ShapedType::kDynamic for each `?` of the IR.
  llvm::SmallVector<int64_t, 4> shape;
  /// True for a result that is the gradient by an argument.
  bool isGradient = false;
};

struct Argument : Port {
  bool isParameter = false;
  /// The name of each dynamic dimension; empty for static ones.
  llvm::SmallVector<std::string, 4> dims;
  /// True if `dims` are the names of block.dims, which arguments share.
  bool hasNamedDims = false;
  /// Rule for drawing it from a seed; null if the IR has none.
  block::InitAttr init;
};

struct Signature {
  mlir::func::FuncOp function;
  std::vector<Argument> arguments;
  std::vector<Port> results;

  const Argument *lookupArgument(llvm::StringRef name) const;
};

/// Reads the attributes of `function`. An argument with neither block.param nor
/// block.input is the input `argNN`, a result without block.output is
/// `grad.NAME` of its block.grad, or `outN`, and dynamic dimensions without
/// block.dims are `NAME.dN`. Errors: a type other than a ranked tensor of a
/// known element type, a duplicate name.
llvm::Expected<Signature> readSignature(mlir::func::FuncOp function);

/// Returns whether a name is "argNN": of an argument without a name in the IR,
/// or in the IR before raising.
bool isPositionalName(llvm::StringRef name);

/// "[2, ?, 64]".
std::string formatDims(llvm::ArrayRef<int64_t> shape);

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_SIGNATURE_H
