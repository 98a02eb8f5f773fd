//===- OpenTypes.h - sizes that become open again ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_OPENTYPES_H
#define PARABLOCK_LIB_RAISE_OPENTYPES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace parablock::raise {

/// Names of the open sizes, with the number that each one has in a copy.
using Sizes = llvm::MapVector<llvm::StringRef, int64_t>;

/// Puts `?` into types of the function in the place of the numbers; false where
/// an op cannot say it.
bool openTypes(mlir::FunctionOpInterface function, const Sizes &sizes);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_OPENTYPES_H
