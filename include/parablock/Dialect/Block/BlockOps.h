//===- BlockOps.h - every op of the block dialect ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKOPS_H
#define PARABLOCK_IR_BLOCKOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "parablock/Dialect/Block/BlockInterfaces.h"
#include "parablock/Dialect/Block/NamedOperands.h"
#include "parablock/Dialect/Block/WeightMath.h"

#include "parablock/Dialect/Block/AttentionInterface.h.inc"
#include "parablock/Dialect/Block/WeightInterface.h.inc"

#define GET_OP_CLASSES
#include "parablock/Dialect/Block/BlockOps.h.inc"

#endif // PARABLOCK_IR_BLOCKOPS_H
