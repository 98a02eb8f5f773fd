//===- JoinSizes.h - joining of sized copies --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Everything here counts elements, so a function with dynamic sizes is raised
// with numbers instead of sizes. Two copies that are equal except for sizes are
// one function of any size; this file joins them, independently of the choice
// of numbers.
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

/// Attribute of a function with the sizes and offsets that are computed from
/// its dynamic sizes: a list of affine maps whose symbols are these, in order.
inline constexpr llvm::StringLiteral kSizesAttr = "raise.sizes";

/// Replaces sizes in types of `function` by `?` where `other` has other sizes.
/// Sizes of arguments with the same two values are one dimension; `names` are
/// their names, in the order of their first appearance in arguments. Returns
/// any other difference, which leaves `function` unusable.
std::optional<Difference> joinSizes(mlir::FunctionOpInterface function,
                                    mlir::FunctionOpInterface other,
                                    llvm::ArrayRef<std::string> names);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_JOINSIZES_H
