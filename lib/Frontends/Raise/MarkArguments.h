//===- MarkArguments.h - which arguments are weights ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_MARKARGUMENTS_H
#define PARABLOCK_LIB_RAISE_MARKARGUMENTS_H

#include "Graph.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace parablock::raise {

/// Mark of an argument that has the length of each batch row: at least 1, and
/// no result depends on elements beyond it.
constexpr llvm::StringLiteral kPaddingAttr = "raise.padding";

/// The shape of a tensor, or of a scalar.
llvm::ArrayRef<int64_t> getShape(mlir::Value value);

/// The argument that runs through the function: the first one that has the
/// leading sizes of what is returned, for tools that put weights first; where
/// none has them, the first one that has rows.
std::optional<unsigned> findStream(mlir::FunctionOpInterface function);

/// Gives what an argument without a name of its own is by its type: streams
/// have the batch of the one that runs through, everything else is a weight.
Source guessSource(mlir::FunctionOpInterface function, unsigned index,
                   unsigned streamIndex);

/// Marks the arguments that `names` name, and no others, as inputs; what has no
/// mark yet is a parameter.
mlir::LogicalResult nameInputs(mlir::FunctionOpInterface function,
                               llvm::ArrayRef<std::string> names);

/// Marks what has no mark as input, parameter or output, under the names that
/// runs give it: by the places of blocks that it reaches, and by its type where
/// it reaches none. A remark says what each argument is, and why.
void markArguments(mlir::FunctionOpInterface function, llvm::StringRef pass);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_MARKARGUMENTS_H
