//===- InitAll.h - registration of dialects and passes ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every tool, the plugin and the C API register dialects and passes through
// these two functions, so all support the same set.
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
