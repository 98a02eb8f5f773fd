//===- HoistConstants.h - constants as parameters ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_HOISTCONSTANTS_H
#define PARABLOCK_LIB_RAISE_HOISTCONSTANTS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Error.h"

namespace parablock::raise {

/// Replaces constant tensors of floats by parameters after the function's
/// arguments, and writes them to `path`.
llvm::Error hoistConstants(mlir::FunctionOpInterface function,
                           llvm::StringRef path);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_HOISTCONSTANTS_H
