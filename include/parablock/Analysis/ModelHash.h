//===- ModelHash.h - which model a file was made for ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_MODELHASH_H
#define PARABLOCK_ANALYSIS_MODELHASH_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include <string>

namespace parablock {

/// `sha256:<64 hex digits>` of what a model is: its ops, their attributes and
/// wiring, the sizes of its parameters, which of their elements an op reads as
/// what, and the width of what flows between ops. Batch, sequence length,
/// element types and where norms round, names, order and rearrangement of
/// parameters, how weights are drawn, stamps and logs do not count, so one
/// choice serves every use of a model, whatever frontend it came through.
std::string computeModelHash(mlir::FunctionOpInterface function);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_MODELHASH_H
