//===- PlanOps.h - the plan dialect -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PLAN_PLANOPS_H
#define PARABLOCK_PLAN_PLANOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "parablock/Dialect/Plan/PlanDialect.h.inc"
#include "parablock/Dialect/Plan/PlanEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "parablock/Dialect/Plan/PlanTypes.h.inc"

namespace parablock::plan {
class PrepackOp;
class RunOp;
class ReturnOp;
class TensorOp;

/// Returns whether `type` is allowed as an element type of plan tensors.
bool isElement(mlir::Type type);

/// Returns the tensor that owns the memory of `tensor`: itself, or the tensor
/// that it is a view of; null if no op of the dialect defines it.
TensorOp getOwner(mlir::Value tensor);

/// Returns whether an exchange may be two steps, one that starts and one that
/// awaits it.
bool mayStart(ExchangeStep step);

/// Lists the sizes of a tensor or a view.
llvm::SmallVector<mlir::OpFoldResult> getMixedSizes(mlir::Value tensor);
} // namespace parablock::plan

#define GET_OP_CLASSES
#include "parablock/Dialect/Plan/PlanOps.h.inc"

#endif // PARABLOCK_PLAN_PLANOPS_H
