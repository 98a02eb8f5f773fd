//===- WeightReader.h - checkpoint layouts as IR ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_WEIGHTREADER_H
#define PARABLOCK_LIB_GENERATE_WEIGHTREADER_H

#include "FunctionArguments.h"
#include "PackedWeight.h"
#include "StepPlan.h"
#include "mlir/IR/Builders.h"

namespace parablock::generate {

/// Turns stored tensors into the matrices and vectors that ops require, through
/// transposes, reshapes and slices at the builder's insertion point. Names are
/// relative to `prefix`. Each reader belongs to one block of IR.
class WeightReader {
public:
  WeightReader(mlir::OpBuilder &builder, FunctionArguments &arguments,
               std::string prefix = "", const PackedSpec *packed = nullptr)
      : builder(builder), arguments(arguments), prefix(std::move(prefix)),
        packed(packed) {}

  /// The [out, in] matrix of a role; null where there is none.
  mlir::Value readMatrix(const RolePlan &plan);
  /// The bias of a role; null where there is none.
  mlir::Value readBias(const RolePlan &plan);
  /// A vector of `size` elements; null where there is none.
  mlir::Value readVector(const StoredVector &stored, int64_t size,
                         const DrawRule &rule);
  /// Reads a tensor that is stored in its final form, of the model's elements
  /// or of `element`.
  mlir::Value readTensor(const std::string &name, llvm::ArrayRef<int64_t> shape,
                         const DrawRule &rule, mlir::Type element = {});
  /// Returns a tensor without the leading dimensions of size 1 that the
  /// checkpoint adds.
  mlir::Value reshape(mlir::Value tensor, llvm::ArrayRef<int64_t> shape);

  /// Reads the [out, in] matrix NAME.weight of a linear layer.
  mlir::Value readLinear(const std::string &name, int64_t out, int64_t in,
                         const DrawRule &rule);
  /// Reads the [experts, parts * out, in] matrices of experts; transposed
  /// where `transposed`, as they are then stored unless they are codes.
  mlir::Value readStack(const std::string &name, const StackShape &shape,
                        bool transposed, const DrawRule &rule);

private:
  std::string getFullName(const std::string &name) const;
  mlir::Value readStored(const StoredLinear &stored, const std::string &name,
                         int64_t out, int64_t in, double deviation);
  mlir::Value transpose(mlir::Value matrix);
  mlir::Value slicePart(mlir::Value tensor, int64_t dim, const RolePlan &plan,
                        int64_t share);

  mlir::OpBuilder &builder;
  FunctionArguments &arguments;
  std::string prefix;
  /// Codes that replace matrices; null if there are none.
  const PackedSpec *packed;
  /// Matrices derived from stored tensors.
  llvm::StringMap<mlir::Value> made;
};

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_WEIGHTREADER_H
