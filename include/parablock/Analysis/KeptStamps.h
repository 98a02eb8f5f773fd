//===- KeptStamps.h - stamps of layers that are ops again -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A conversion to upstream ops leaves no layer that a stamp could stand on. The
// function keeps them in an attribute of builtin attributes alone, which tools
// that do not know the dialect read, print and hand on:
//
//   approximations = {layers = 2 : i64, stamps = [{layer = 0 : i64,
//     name = "h.0", by = [{pass = "..", parameters = "..", measured = ..}]}]}
//
// `layers` are those that the function had; the newest stamp stands first.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_KEPTSTAMPS_H
#define PARABLOCK_ANALYSIS_KEPTSTAMPS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock {

inline constexpr llvm::StringLiteral kStampsAttr = "approximations";

struct KeptStamp {
  /// Number of the layer among those that the function had.
  int64_t layer = 0;
  llvm::StringRef name;
  block::ApproxAttr stamp;
};

struct KeptStamps {
  /// Number of layers that the function had.
  int64_t layers = 0;
  llvm::SmallVector<KeptStamp> stamps;
};

/// Returns both stamps of one layer, those of `older` below.
block::ApproxAttr joinStamps(block::ApproxAttr older, block::ApproxAttr newer);

/// Returns the stamps that `function` keeps; fails, with an error at it, if the
/// attribute is not one that keepStamps writes.
llvm::FailureOr<KeptStamps> readKeptStamps(mlir::Operation *function);

/// Writes the stamps of all layers of `function` into its attribute, behind
/// those that it keeps, with a remark of `pass`.
llvm::LogicalResult keepStamps(mlir::FunctionOpInterface function,
                               llvm::StringRef pass);

/// Gives layers the stamps that `function` keeps. It goes on keeping them, with
/// a remark, if it has not as many layers as before.
llvm::LogicalResult restoreStamps(mlir::FunctionOpInterface function,
                                  llvm::StringRef pass);

/// Adds the stamps of `from` to those of `to`, whose layers are no longer
/// counted: a call of the one stands in the other.
void takeStamps(mlir::Operation *to, mlir::DictionaryAttr from);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_KEPTSTAMPS_H
