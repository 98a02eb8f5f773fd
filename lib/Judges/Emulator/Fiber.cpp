//===- Fiber.cpp - switches stacks of GPU threads -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The switch saves the registers that a function must preserve and changes the
// stack pointer: about 10 ns, against 300 ns for swapcontext, which makes
// system calls.
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include "llvm/Support/Compiler.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#if LLVM_ADDRESS_SANITIZER_BUILD
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

using namespace parablock::emulator;

/// Saves the running context's stack pointer in `*saved` and continues `next`.
extern "C" void parablockSwitchStacks(void **saved, void *next);

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl parablockSwitchStacks
.hidden parablockSwitchStacks
.type parablockSwitchStacks, @function
parablockSwitchStacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size parablockSwitchStacks, .-parablockSwitchStacks
)");
/// Six registers, the address to continue at, and a null return address.
static constexpr size_t frameWords = 8;
static constexpr size_t returnSlot = 6;
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.globl parablockSwitchStacks
.hidden parablockSwitchStacks
.type parablockSwitchStacks, %function
parablockSwitchStacks:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size parablockSwitchStacks, .-parablockSwitchStacks
)");
static constexpr size_t frameWords = 20;
static constexpr size_t returnSlot = 11; // x30
#else
#error "the emulator has no stack switch for this processor"
#endif

Fiber::Fiber(char *stack, size_t bytes, void (*entry)())
    : stack(stack), stackBytes(bytes) {
  // Zeros above the frame that the switch pops: a null return address for the
  // entry, at the alignment that a called function expects.
  auto top = reinterpret_cast<uintptr_t>(stack + bytes) & ~uintptr_t(15);
  void **frame = reinterpret_cast<void **>(top) - frameWords;
  std::memset(frame, 0, frameWords * sizeof(void *));
  frame[returnSlot] = reinterpret_cast<void *>(entry);
  stackPointer = frame;
}

void Fiber::resumeFrom(Fiber &from) {
#if LLVM_ADDRESS_SANITIZER_BUILD
  __sanitizer_start_switch_fiber(&from.fakeStack, stack, stackBytes);
#endif
  parablockSwitchStacks(&from.stackPointer, stackPointer);
#if LLVM_ADDRESS_SANITIZER_BUILD
  __sanitizer_finish_switch_fiber(from.fakeStack, nullptr, nullptr);
#endif
}

void Fiber::resumeFromFinished(Fiber &from) {
#if LLVM_ADDRESS_SANITIZER_BUILD
  __sanitizer_start_switch_fiber(nullptr, stack, stackBytes);
#endif
  parablockSwitchStacks(&from.stackPointer, stackPointer);
}

void Fiber::begin(Fiber &resumer) {
#if LLVM_ADDRESS_SANITIZER_BUILD
  const void *bottom = nullptr;
  size_t bytes = 0;
  __sanitizer_finish_switch_fiber(nullptr, &bottom, &bytes);
  resumer.stack = static_cast<char *>(const_cast<void *>(bottom));
  resumer.stackBytes = bytes;
#else
  (void)resumer;
#endif
}

StackPool::StackPool(size_t bytes)
    : stackBytes(llvm::alignTo(bytes, static_cast<size_t>(getpagesize()))) {}

StackPool::~StackPool() {
  size_t guard = static_cast<size_t>(getpagesize());
  for (char *stack : all)
    munmap(stack - guard, stackBytes + guard);
}

/// A fiber that was never finished leaves the marks of its frames.
static char *makeClean(char *stack, size_t bytes) {
#if LLVM_ADDRESS_SANITIZER_BUILD
  __asan_unpoison_memory_region(stack, bytes);
#else
  (void)bytes;
#endif
  return stack;
}

char *StackPool::take() {
  if (!unused.empty()) {
    char *stack = unused.back();
    unused.pop_back();
    return makeClean(stack, stackBytes);
  }
  size_t guard = static_cast<size_t>(getpagesize());
  void *memory = mmap(nullptr, stackBytes + guard, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  mprotect(memory, guard, PROT_NONE);
  all.push_back(static_cast<char *>(memory) + guard);
  return makeClean(all.back(), stackBytes);
}
