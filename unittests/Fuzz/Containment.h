//===- Containment.h - what a case may not do to the fuzzer -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All cases run in one process. A case that crashes it, hangs or takes too much
// memory ends it, but not before its number has been printed.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_CONTAINMENT_H
#define PARABLOCK_UNITTESTS_FUZZ_CONTAINMENT_H

#include <cstdint>

namespace parablock::fuzz {

/// Signals end the process with an explanation and exit code 3, and so does
/// running out of memory.
void containProcess();

/// Sets the case that explanations name, and its watchdog.
void enterCase(uint64_t seed, uint64_t number);

/// What the case is doing now; a literal.
void enterStage(const char *stage);

/// No case is running any more.
void leaveCases();

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_CONTAINMENT_H
