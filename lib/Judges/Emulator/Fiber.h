//===- Fiber.h - Stacks and the switch between them -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_FIBER_H
#define PARABLOCK_EMULATOR_FIBER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parablock::emulator {

/// An execution that can be suspended and resumed. The host thread's own stack
/// is the default-constructed fiber.
class Fiber {
public:
  Fiber() = default;
  /// A fiber that begins in `entry`, which must never return.
  Fiber(char *stack, size_t bytes, void (*entry)());

  /// Leaves `from`, which is running, and resumes this one.
  void resumeFrom(Fiber &from);
  /// Resumes if `from` will never run again.
  void resumeFromFinished(Fiber &from);
  /// To be called first on a fresh fiber's stack.
  void begin(Fiber &resumer);

  bool holds(uint64_t address) const {
    return address - reinterpret_cast<uint64_t>(stack) < stackBytes;
  }

private:
  void *stackPointer = nullptr;
  char *stack = nullptr;
  size_t stackBytes = 0;
  /// For the address sanitizer only.
  [[maybe_unused]] void *fakeStack = nullptr;
};

/// Stacks with a guard page below each, kept for reuse.
class StackPool {
public:
  explicit StackPool(size_t bytes);
  ~StackPool();
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;
  /// Null where the host has no memory left.
  char *take();
  void give(char *stack) { unused.push_back(stack); }
  size_t bytes() const { return stackBytes; }

private:
  size_t stackBytes;
  std::vector<char *> unused, all;
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_FIBER_H
