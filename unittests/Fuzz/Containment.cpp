//===- Containment.cpp - crashes, hangs and memory of fuzzer cases --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Containment.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

#if LLVM_ADDRESS_SANITIZER_BUILD
#include <sanitizer/common_interface_defs.h>
#endif

using namespace parablock;

static constexpr unsigned kSecondsPerCase = 5;

static uint64_t currentSeed, currentCase;
static const char *currentStage = "start";

/// Only what is allowed in a signal handler.
static void explain(llvm::StringRef what) {
  llvm::SmallString<256> text;
  llvm::raw_svector_ostream(text)
      << "block-fuzz: " << what << " while " << currentStage
      << "; again with --seed=" << currentSeed << " --case=" << currentCase
      << "\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
}

static void handleSignal(int signal) {
  explain(signal == SIGALRM ? "hang" : strsignal(signal));
  _exit(3);
}

void fuzz::containProcess() {
  // A stack of its own, for stack overflows are among what is looked for.
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof(stack);
  sigaltstack(&alternative, nullptr);

  struct sigaction action = {};
  action.sa_handler = handleSignal;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGALRM, &action, nullptr);
#if LLVM_ADDRESS_SANITIZER_BUILD
  // The sanitizer's own report comes first; its shadow needs all addresses.
  __sanitizer_set_death_callback([] { explain("sanitizer report"); });
#else
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    sigaction(signal, &action, nullptr);
  rlimit limit = {rlim_t(4) << 30, rlim_t(4) << 30};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

void fuzz::enterCase(uint64_t seed, uint64_t number) {
  currentSeed = seed;
  currentCase = number;
  currentStage = "making the input";
#if LLVM_ADDRESS_SANITIZER_BUILD
  alarm(10 * kSecondsPerCase);
#else
  alarm(kSecondsPerCase);
#endif
}

void fuzz::enterStage(const char *stage) { currentStage = stage; }

void fuzz::leaveCases() { alarm(0); }
