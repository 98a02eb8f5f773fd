//===- JoinSizes.h - one function from two of its sizes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Everything here counts elements, so that a function of open sizes is looked
// at with numbers in their place. Two of those that are the same but for sizes
// are one function of any size; this is where that is found out, whoever chose
// the numbers.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_JOINSIZES_H
#define PARABLOCK_LIB_RAISE_JOINSIZES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include <optional>
#include <string>

namespace parablock::raise {

/// A place where a function depends on its sizes by more than sizes.
struct Difference {
  mlir::Location location;
  std::string what;
};

/// The attribute of a function with sizes and offsets that are computed of its
/// open sizes: a list of affine maps whose symbols are these, in their order.
inline constexpr llvm::StringLiteral kSizesAttr = "raise.sizes";

/// Puts `?` into types of `function` where `other` has other sizes. Sizes of
/// arguments that differ alike are one dimension; `names` are theirs, in the
/// order in which arguments first have them. Anything else in which the two
/// differ is returned, and `function` is of no use then.
std::optional<Difference> joinSizes(mlir::FunctionOpInterface function,
                                    mlir::FunctionOpInterface other,
                                    llvm::ArrayRef<std::string> names);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_JOINSIZES_H
