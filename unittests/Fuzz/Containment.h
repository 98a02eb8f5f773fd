//===- Containment.h - what a case may not do to the fuzzer -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A case that crashes the process, hangs or takes too much memory ends it, but
// not before its number has been printed. Only what MLIR's own parser, bytecode
// reader and verifiers crash on is nobody's business here: IR is therefore
// tried in a child process.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_CONTAINMENT_H
#define PARABLOCK_UNITTESTS_FUZZ_CONTAINMENT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace parablock::fuzz {

/// Signals end the process with an explanation and exit code 3, and so does
/// running out of that many bytes of address space, or a case of more seconds.
void containProcess(uint64_t mostBytes = uint64_t(4) << 30,
                    unsigned secondsPerCase = 5);

/// Sets the case that explanations name, and its watchdog.
void enterCase(uint64_t seed, uint64_t number);

/// The work that the case is at; a literal. A crash of MLIR itself is excused
/// where it is given what nobody has verified yet.
enum class Input { Verified, Raw };
void enterStage(const char *stage, Input input = Input::Verified);

/// Runs `body` in a child process. False where that crashed in MLIR on raw
/// input, called by the fuzzer or by a parser of the project; whatever else
/// ends the child ends this process too.
bool runInChild(llvm::function_ref<void()> body);

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_CONTAINMENT_H
