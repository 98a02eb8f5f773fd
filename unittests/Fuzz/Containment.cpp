//===- Containment.cpp - crashes, hangs and memory of fuzzer cases --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Containment.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if LLVM_ADDRESS_SANITIZER_BUILD
#include <sanitizer/common_interface_defs.h>
#endif

using namespace parablock;
using namespace parablock::fuzz;

static unsigned secondsPerCase = 5;

static uint64_t currentSeed, currentCase;
static const char *currentStage = "start";
static Input currentInput = Input::Raw;
static bool isChild = false;

namespace {
enum ExitCode { ExitCrash = 3, ExitCrashOfMLIR = 4 };
} // namespace

/// Only what is allowed in a signal handler.
static void explain(llvm::StringRef what) {
  llvm::SmallString<256> text;
  llvm::raw_svector_ostream(text)
      << "block-fuzz: " << what << " while " << currentStage
      << "; again with --seed=" << currentSeed << " --case=" << currentCase
      << "\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
}

static void armWatchdog() {
#if LLVM_ADDRESS_SANITIZER_BUILD
  alarm(10 * secondsPerCase);
#else
  alarm(secondsPerCase);
#endif
}

/// Tells whether the innermost function of this program, if there is one at
/// all, is the fuzzer, a parser, or the reader of recipes into which one is
/// inlined, and has called MLIR. Handlers come first on the stack, behind what
/// a sanitizer puts around backtrace(); then whoever called them, which is not
/// of this program. Templates of MLIR that were compiled here are MLIR's still.
static bool isCrashOfMLIR() {
  void *frames[256];
  int count = backtrace(frames, std::size(frames));
  Dl_info self = {}, info = {};
  dladdr(reinterpret_cast<void *>(&armWatchdog), &self);
  bool seenHandlers = false, leftHandlers = false, seenMLIR = false;
  for (void *frame : llvm::ArrayRef<void *>(frames, count)) {
    if (!dladdr(frame, &info))
      continue;
    bool isOwn = info.dli_fbase == self.dli_fbase;
    if (isOwn && leftHandlers) {
      llvm::StringRef name = info.dli_sname ? info.dli_sname : "";
      if (name.contains("parse") || name.contains("parablock"))
        return seenMLIR && (name.contains("parse") || name.contains("4fuzz") ||
                            name.contains("10readRecipe"));
    }
    seenHandlers |= isOwn;
    leftHandlers |= seenHandlers && !isOwn;
    seenMLIR |=
        leftHandlers && llvm::StringRef(info.dli_fname).contains("libMLIR");
  }
  return seenMLIR;
}

[[noreturn]] static void endProcess(const char *what) {
  if (isChild && currentInput == Input::Raw && isCrashOfMLIR())
    _exit(ExitCrashOfMLIR);
  explain(what);
  _exit(ExitCrash);
}

static void handleSignal(int signal) {
  endProcess(signal == SIGALRM ? "hang" : strsignal(signal));
}

void fuzz::containProcess(uint64_t mostBytes, unsigned seconds) {
  secondsPerCase = seconds;
  // A stack of its own, for stack overflows are among what is looked for.
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof(stack);
  sigaltstack(&alternative, nullptr);

  void *unused[1]; // the first call loads a library
  backtrace(unused, 1);

  struct sigaction action = {};
  action.sa_handler = handleSignal;
  action.sa_flags = SA_ONSTACK;
  for (int signal :
       {SIGALRM, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    sigaction(signal, &action, nullptr);
#if LLVM_ADDRESS_SANITIZER_BUILD
  // The sanitizer's own report comes first; its shadow needs all addresses.
  __sanitizer_set_death_callback([] { endProcess("sanitizer report"); });
#else
  rlimit limit = {mostBytes, mostBytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

void fuzz::enterCase(uint64_t seed, uint64_t number) {
  currentSeed = seed;
  currentCase = number;
  enterStage("making the input", Input::Raw);
  armWatchdog();
}

void fuzz::enterStage(const char *stage, Input input) {
  currentStage = stage;
  currentInput = input;
}

bool fuzz::runInChild(llvm::function_ref<void()> body) {
  llvm::outs().flush();
  pid_t child = fork();
  if (child < 0) {
    explain("cannot fork");
    _exit(ExitCrash);
  }
  if (child == 0) {
    isChild = true;
    armWatchdog();
    body();
    _exit(0);
  }
  alarm(0); // the child has its own
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return true;
  if (WIFEXITED(status) && WEXITSTATUS(status) == ExitCrashOfMLIR)
    return false;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != ExitCrash)
    explain("child ended");
  _exit(ExitCrash);
}
