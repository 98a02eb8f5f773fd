//===- SuggestOp.h - the op that was meant ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This header is inline, because libraries that do not link MLIR link
// ParablockSupport.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_SUGGESTOP_H
#define PARABLOCK_SUPPORT_SUGGESTOP_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/OperationSupport.h"
#include "parablock/Support/NearestName.h"
#include <optional>

namespace parablock {

/// Returns the op of a dialect with the name nearest to `op`, as "block.sdpa"
/// is to "block.sdpaa"; empty if none is near.
inline llvm::StringRef findNearestOp(mlir::MLIRContext *context,
                                     llvm::StringRef op) {
  llvm::StringRef dialect = op.split('.').first;
  llvm::SmallVector<llvm::StringRef> names;
  for (mlir::RegisteredOperationName each : context->getRegisteredOperations())
    if (each.getDialectNamespace() == dialect)
      names.push_back(each.getStringRef());
  return findNearestName(op, names);
}

/// Returns a parser for an op that its dialect does not have: an error that
/// suggests the nearest name. Returns none if no name is near, so that MLIR's
/// own error stands. A dialect returns this from `getParseOperationHook`.
inline std::optional<mlir::Dialect::ParseOpHook>
suggestOp(mlir::MLIRContext *context, llvm::StringRef op) {
  if (findNearestOp(context, op).empty())
    return std::nullopt;
  return mlir::Dialect::ParseOpHook([](mlir::OpAsmParser &parser,
                                       mlir::OperationState &state) {
    llvm::StringRef nearest =
        findNearestOp(parser.getContext(), state.name.getStringRef());
    return mlir::ParseResult(parser.emitError(
        parser.getNameLoc(), "is not known; did you mean '" + nearest + "'?"));
  });
}

} // namespace parablock

#endif // PARABLOCK_SUPPORT_SUGGESTOP_H
