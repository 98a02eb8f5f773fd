//===- FrozenRows.h - rows of tables without a gradient ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Frameworks let an embedding freeze one row of its table, that of padding:
// lookups of that row have no gradient by it, but other readers of the table
// do. An attribute of the table's argument is the number of the row.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_FROZENROWS_H
#define PARABLOCK_LIB_DIFFERENTIATE_FROZENROWS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace parablock::block {

/// The attribute of an argument; -1 where lookups do not agree.
constexpr llvm::StringLiteral kFrozenRowAttr = "differentiate.frozen_row";

/// Returns the row of a table whose lookups have no gradient.
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
