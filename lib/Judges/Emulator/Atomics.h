//===- Atomics.h - Order of atomics and fences ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_ATOMICS_H
#define PARABLOCK_EMULATOR_ATOMICS_H

#include "Worker.h"

namespace parablock::emulator {

/// To be called before an atomic access to `address` is performed.
void orderAtomic(Thread &thread, const Site &site, uint64_t address);

/// `isForCta`: between threads of the CTA alone.
void orderFence(Thread &thread, bool acquires, bool releases, bool isForCta);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_ATOMICS_H
