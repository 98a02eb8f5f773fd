//===- Signature.h - names and types of a function's arguments --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_SIGNATURE_H
#define PARABLOCK_RUNNER_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace parablock::runner {

/// An argument or result by the name that files and messages use.
struct Port {
  std::string name;
  ElementType type = ElementType::F32;
  /// ShapedType::kDynamic where the IR says `?`.
  llvm::SmallVector<int64_t, 4> shape;
  /// True of a result that is the gradient by an argument.
  bool isGradient = false;
};

struct Argument : Port {
  bool isParameter = false;
  /// For each dimension its name where it is dynamic, otherwise empty.
  llvm::SmallVector<std::string, 4> dims;
  /// True where `dims` are the names of block.dims: arguments share these.
  bool hasNamedDims = false;
  /// How a seed draws it; null where the IR does not say.
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
/// `grad.NAME` of its block.grad, or `outN`,
/// and dynamic dimensions without block.dims are `NAME.dN`. Errors: a type that
/// is no ranked tensor of a known element type, a name given twice.
llvm::Expected<Signature> readSignature(mlir::func::FuncOp function);

/// Tells whether a name is "argNN": that of an argument which the IR has none
/// for, or had none for before it was raised.
bool isPositionalName(llvm::StringRef name);

/// "[2, ?, 64]".
std::string formatDims(llvm::ArrayRef<int64_t> shape);

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_SIGNATURE_H
