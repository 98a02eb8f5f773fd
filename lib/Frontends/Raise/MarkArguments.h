//===- MarkArguments.h - roles of arguments ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_MARKARGUMENTS_H
#define PARABLOCK_LIB_RAISE_MARKARGUMENTS_H

#include "Graph.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace parablock::raise {

/// Marks an argument with the length of each batch row: at least 1, and no
/// result depends on elements beyond it.
constexpr llvm::StringLiteral kPaddingAttr = "raise.padding";

/// The shape of a tensor, or of a scalar.
llvm::ArrayRef<int64_t> getShape(mlir::Value value);

/// Returns the argument that is the stream: the first one with the leading
/// sizes of the result, for tools that put weights first; otherwise the first
/// one that has rows.
std::optional<unsigned> findStream(mlir::FunctionOpInterface function);

/// Returns the kind of an argument without a name from its type: streams have
/// the batch of the main stream, others are weights.
Source guessSource(mlir::FunctionOpInterface function, unsigned index,
                   unsigned streamIndex);

/// Marks exactly the arguments in `names` as inputs; unmarked ones become
/// parameters.
mlir::LogicalResult nameInputs(mlir::FunctionOpInterface function,
                               llvm::ArrayRef<std::string> names);

/// Marks unmarked arguments and results as input, parameter or output, with the
/// names that runs use: by the places of blocks that they reach, or by type if
/// they reach none. A remark gives the kind of each argument, and the reason.
void markArguments(mlir::FunctionOpInterface function, llvm::StringRef pass);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_MARKARGUMENTS_H
