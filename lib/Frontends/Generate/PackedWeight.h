//===- PackedWeight.h - stored codes as weights -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_PACKEDWEIGHT_H
#define PARABLOCK_LIB_GENERATE_PACKEDWEIGHT_H

#include "FunctionArguments.h"
#include "mlir/IR/Builders.h"
#include "parablock/Frontends/Generate/WeightSpec.h"

namespace parablock::generate {

/// Returns whether the linear layer of that full name is stored as codes.
bool isPacked(const PackedSpec &spec, llvm::StringRef name);

/// Returns whether stacked matrices of experts have codes.
bool areStacksPacked(const PackedSpec &spec);

/// Reads the [out, in] matrix of a linear layer from its codes. Fails with a
/// diagnostic unless its sizes are whole words of codes.
mlir::Value readPackedMatrix(mlir::OpBuilder &builder,
                             FunctionArguments &arguments,
                             const PackedSpec &spec, llvm::StringRef name,
                             int64_t out, int64_t in, double deviation);

/// Matrices of experts: of `parts` matrices of `out` rows each, such as a gate
/// and what it scales.
struct StackShape {
  int64_t experts, parts, out, in;
};

/// Reads the [experts, parts * out, in] matrices of a stack from their codes,
/// of which there are FP8 blocks and MXFP4.
mlir::Value readPackedStack(mlir::OpBuilder &builder,
                            FunctionArguments &arguments,
                            const PackedSpec &spec, llvm::StringRef name,
                            StackShape shape, double deviation);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_PACKEDWEIGHT_H
