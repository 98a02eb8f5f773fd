//===- Passes.h - rewrites of block IR --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_PASSES_H
#define PARABLOCK_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "parablock/Analysis/Choice.h"
#include "parablock/Support/Number.h"

namespace parablock {

enum class ReportFormat { Text, JSON };

/// The forms of layers that block-simplify creates.
enum class SimplifiedForm { Sas, SasP, VSkipInit, Shaped, NoNorm };

/// The forms of weights that block-quantize creates.
enum class QuantizedForm { Int8, Int4G128, Int4G32, MxFp4, Fp8 };

/// How weights were rounded to codes: each independently, or with later ones
/// compensating the error.
enum class Rounding { Nearest, Compensated };

/// The numbers that block-quantize rounds the rows of products to.
enum class EncodedRows { None, Fp8 };

} // namespace parablock

PARABLOCK_NAMED_ENUM(parablock::ReportFormat, "text", "json")
PARABLOCK_NAMED_ENUM(parablock::SimplifiedForm, "sas", "sas-p", "v-skipinit",
                     "shaped", "no-norm")
PARABLOCK_NAMED_ENUM(parablock::QuantizedForm, "int8", "int4-g128", "int4-g32",
                     "mxfp4", "fp8")
PARABLOCK_NAMED_ENUM(parablock::Rounding, "nearest", "compensated")
PARABLOCK_NAMED_ENUM(parablock::EncodedRows, "none", "fp8")

namespace parablock::block {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "parablock/Transforms/Passes.h.inc"

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_PASSES_H
