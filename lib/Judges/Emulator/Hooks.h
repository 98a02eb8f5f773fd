//===- Hooks.h - Functions called by kernels --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_HOOKS_H
#define PARABLOCK_EMULATOR_HOOKS_H

#include "Site.h"
#include "llvm/ADT/ArrayRef.h"

namespace parablock::emulator {

/// The functions that rewritten modules call, with their symbol names.
struct Hook {
  const char *name;
  void *address;
};
llvm::ArrayRef<Hook> getBasicHooks();

/// The hook for any access.
void *checkAccess(void *pointer, const Site *site);

namespace hooks {
/// void (const Site *, Slot *arguments, void *result): an operation.
inline constexpr const char *call = "parablock.emulator.call";
/// void *(void *address, const Site *): the address to use instead.
inline constexpr const char *access = "parablock.emulator.access";
/// i1 (void *address, i64 bytes, const Site *, i1 isWrite): may be accessed.
inline constexpr const char *range = "parablock.emulator.range";
/// void (i1 acquires, i1 releases).
inline constexpr const char *fence = "parablock.emulator.fence";
/// void *(): the CTA's shared memory.
inline constexpr const char *shared = "parablock.emulator.shared";
/// i32 (): names the accumulators that the last wgmma of the thread gives.
inline constexpr const char *accumulators = "parablock.emulator.accumulators";
/// void (i32 name, const Site *): accumulators are read.
inline constexpr const char *touch = "parablock.emulator.touch";
/// The first of the module's sites; no function.
inline constexpr const char *sites = "parablock.emulator.sites";
} // namespace hooks

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_HOOKS_H
