//===- VjpModels.h - base classes of gradients ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_VJPMODELS_H
#define PARABLOCK_LIB_DIFFERENTIATE_VJPMODELS_H

#include "mlir/IR/MLIRContext.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/Differentiate/Adjoints.h"
#include "parablock/Transforms/Differentiate/VjpInterface.h"

namespace parablock::block {

/// The model of `OpT`; calls `Model::build` with the op and the adjoint of its
/// only result, if there is one.
template <typename Model, typename OpT>
struct VjpModel : VjpOpInterface::ExternalModel<Model, OpT> {
  llvm::LogicalResult buildVjp(mlir::Operation *op, Adjoints &adjoints) const {
    mlir::Value adjoint = adjoints.take(op->getResult(0));
    return adjoint ? Model::build(mlir::cast<OpT>(op), adjoint, adjoints)
                   : mlir::success();
  }
};

/// Adds for a bias the sum over the rows that it was added to.
void addBiasGradient(Adjoints &adjoints, mlir::Value bias,
                     mlir::Value gradient);

/// Adds for the input, weight and bias of a projection; the bias may be null.
void addProjectionGradients(Adjoints &adjoints, mlir::Value input,
                            mlir::Value weight, mlir::Value bias,
                            mlir::Value gradient);

/// Adds to each of `inputs`, which are concatenated along `dim`, its part of
/// the gradient by the concatenation.
void addPartsOfGradient(Adjoints &adjoints, mlir::ValueRange inputs,
                        int64_t dim, mlir::Value gradient);

/// An op that has a result for each active one of these operands, in `wrt`.
struct WantedGradients {
  WantedGradients(Adjoints &adjoints, llvm::ArrayRef<NamedValue> operands);
  /// Adds the results of such an op.
  void add(Adjoints &adjoints, mlir::ValueRange results) const;

  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<llvm::StringRef> names;
  llvm::SmallVector<mlir::Type> types;
};

// One function per family, each in its own file.
void attachAttentionVjps(mlir::MLIRContext &context);
void attachElementwiseVjps(mlir::MLIRContext &context);
void attachEmbeddingVjps(mlir::MLIRContext &context);
void attachExpertVjps(mlir::MLIRContext &context);
void attachFoldedVjps(mlir::MLIRContext &context);
void attachLinearVjps(mlir::MLIRContext &context);
void attachNormVjps(mlir::MLIRContext &context);
void registerLookupVjps(mlir::DialectRegistry &registry);
void registerTosaVjps(mlir::DialectRegistry &registry);
void registerUpstreamVjps(mlir::DialectRegistry &registry);

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_VJPMODELS_H
