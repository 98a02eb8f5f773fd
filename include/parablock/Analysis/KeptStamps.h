//===- KeptStamps.h - stamps kept by functions ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A conversion to upstream ops leaves no layer to carry a stamp. The function
// then keeps the stamps in an attribute built from builtin attributes, which
// tools without the dialect can read, print and preserve:
//
//   approximations = {layers = 2 : i64, stamps = [{layer = 0 : i64,
//     name = "h.0", by = [{pass = "..", parameters = "..", measured = ..}]}]}
//
// `layers` is the number of layers of the function; the newest stamp is first.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_KEPTSTAMPS_H
#define PARABLOCK_ANALYSIS_KEPTSTAMPS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock {

inline constexpr llvm::StringLiteral kStampsAttr = "approximations";

struct KeptStamp {
  /// Number of the layer in the original function.
  int64_t layer = 0;
  llvm::StringRef name;
  block::ApproxAttr stamp;
};

struct KeptStamps {
  /// Number of layers of the original function.
  int64_t layers = 0;
  llvm::SmallVector<KeptStamp> stamps;
};

/// Returns both stamps of one layer, with those of `older` last.
block::ApproxAttr joinStamps(block::ApproxAttr older, block::ApproxAttr newer);

/// Returns the stamps that `function` keeps; fails, with an error at it, unless
/// the attribute has the format of keepStamps.
llvm::FailureOr<KeptStamps> readKeptStamps(mlir::Operation *function);

/// Appends the stamps of all layers of `function` to its attribute, with a
/// remark of `pass`.
llvm::LogicalResult keepStamps(mlir::FunctionOpInterface function,
                               llvm::StringRef pass);

/// Moves the stamps that `function` keeps back to its layers. If the number of
/// layers changed, the function keeps them, with a remark.
llvm::LogicalResult restoreStamps(mlir::FunctionOpInterface function,
                                  llvm::StringRef pass);

/// Adds the stamps of `from` to those of `to`, without a number of layers, for
/// a call of one function inside the other.
void takeStamps(mlir::Operation *to, mlir::DictionaryAttr from);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_KEPTSTAMPS_H
