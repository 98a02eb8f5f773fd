//===- History.h - Comparison with past accesses ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_HISTORY_H
#define PARABLOCK_EMULATOR_HISTORY_H

#include "Access.h"

namespace parablock::emulator {

/// `span` is the shadow of `count` bytes that begin `done` bytes after `place`.
/// Both report conflicts with the history, and are then added to it. Return
/// false if a byte is out of memory.
bool recordRead(Actor &actor, const Place &place, const ShadowSpan &span,
                uint32_t done, uint32_t count);
bool recordWrite(Actor &actor, const Place &place, const ShadowSpan &span,
                 uint32_t done, uint32_t count, ByteState after);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_HISTORY_H
