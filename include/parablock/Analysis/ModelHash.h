//===- ModelHash.h - which model a file was made for ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_MODELHASH_H
#define PARABLOCK_ANALYSIS_MODELHASH_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include <string>

namespace parablock {

/// `sha256:<64 hex digits>` of what a model is: its ops, their attributes and
/// wiring, the names and sizes of its parameters and the width of what flows
/// between them. Batch, sequence length, element types, how weights are drawn,
/// stamps and logs do not count, so one choice serves every use of a model.
std::string computeModelHash(mlir::FunctionOpInterface function);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_MODELHASH_H
