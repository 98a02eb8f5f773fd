//===- InitAll.h - the one registry of the project --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every tool, the plugin and the C API register through these two functions, so
// that they can never disagree about what exists.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_INITALL_H
#define PARABLOCK_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace parablock {

/// The block dialect and the upstream dialects that its IR may contain.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Every pass and pipeline of the project.
void registerAllPasses();

} // namespace parablock

#endif // PARABLOCK_INITALL_H
