//===- VjpInterface.h - gradients of ops ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIFFERENTIATE_VJPINTERFACE_H
#define PARABLOCK_DIFFERENTIATE_VJPINTERFACE_H

#include "mlir/IR/OpDefinition.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace parablock::block {

class Adjoints;

/// Attaches VjpOpInterface to the ops of level 2 and to ops of other dialects
/// that work on weights.
void registerVjpModels(mlir::DialectRegistry &registry);

} // namespace parablock::block

#include "parablock/Transforms/Differentiate/VjpInterface.h.inc"

#endif // PARABLOCK_DIFFERENTIATE_VJPINTERFACE_H
