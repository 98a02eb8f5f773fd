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
#include "parablock/IR/BlockAttrs.h"
#include "parablock/IR/BlockInterfaces.h"
#include "parablock/IR/WeightMath.h"

#include "parablock/IR/WeightInterface.h.inc"

#define GET_OP_CLASSES
#include "parablock/IR/BlockOps.h.inc"

#endif // PARABLOCK_IR_BLOCKOPS_H
