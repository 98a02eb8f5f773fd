//===- ModelHash.h - hash of a model's structure ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_MODELHASH_H
#define PARABLOCK_ANALYSIS_MODELHASH_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include <string>

namespace parablock {

/// Returns `sha256:<64 hex digits>` of a model's structure: ops with attributes
/// and wiring, sizes of parameters, the role of each parameter element, and the
/// width of values between ops. The hash ignores batch, sequence length,
/// element types, rounding of norms, stamps, logs, and the names, order, layout
/// and initial values of parameters, so one choice fits every use of a model
/// from any frontend.
std::string computeModelHash(mlir::FunctionOpInterface function);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_MODELHASH_H
