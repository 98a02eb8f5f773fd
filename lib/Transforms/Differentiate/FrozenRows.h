//===- FrozenRows.h - rows of tables without a gradient ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Frameworks let an embedding leave one row of its table alone, that of
// padding: whoever looks it up gives no gradient by it. What else reads the
// table does. The table's argument says which row that is.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_FROZENROWS_H
#define PARABLOCK_LIB_DIFFERENTIATE_FROZENROWS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace parablock::block {

/// The attribute of an argument; -1 where lookups do not agree.
constexpr llvm::StringLiteral kFrozenRowAttr = "differentiate.frozen_row";

/// Finds the row of a table whose lookups have no gradient.
inline std::optional<int64_t> findFrozenRow(mlir::Value table) {
  auto argument = mlir::dyn_cast_if_present<mlir::BlockArgument>(table);
  auto function = argument ? mlir::dyn_cast<mlir::FunctionOpInterface>(
                                 argument.getOwner()->getParentOp())
                           : mlir::FunctionOpInterface();
  auto row = function ? function.getArgAttrOfType<mlir::IntegerAttr>(
                            argument.getArgNumber(), kFrozenRowAttr)
                      : mlir::IntegerAttr();
  return row ? std::optional(row.getInt()) : std::nullopt;
}

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_FROZENROWS_H
