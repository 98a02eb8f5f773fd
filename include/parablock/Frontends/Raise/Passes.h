//===- Passes.h - passes that recognise blocks ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RAISE_PASSES_H
#define PARABLOCK_RAISE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "parablock/Support/Number.h"

namespace parablock::raise {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "parablock/Frontends/Raise/Passes.h.inc"

/// Adds the flag --block-raise-dump to a tool; it sets option `dump` of every
/// block-raise.
void registerDumpFlag();

} // namespace parablock::raise

#endif // PARABLOCK_RAISE_PASSES_H
