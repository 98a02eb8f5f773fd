//===- Machine.h - memory and calls of the token loop -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The token loop is the same on a host and on a device. A machine is what
// differs: where caches lie, and how the function is called.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_MACHINE_H
#define PARABLOCK_GENERATION_MACHINE_H

#include "parablock-c/Program.h"
#include "parablock/Files/Status.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace parablock::generation {

using files::Status;

/// Arguments of a call by position; null for parameters.
using Inputs = std::vector<const ParablockTensor *>;
/// Results of a call by position.
using Outputs = std::vector<ParablockTensor>;

class Machine {
public:
  virtual ~Machine() = default;

  /// A wish for memory.
  struct Need {
    uint64_t bytes;
    /// "caches of 64 tokens", for failures.
    std::string what;
    /// Bytes of all caches together.
    uint64_t together;
  };
  /// Allocates zeroed memory for a cache, which only `copy` and `run` access.
  virtual Status allocate(const Need &need, void *&memory) = 0;
  /// Releases memory of `allocate`.
  virtual void release(void *memory) = 0;

  /// Strips of one allocation, which begin `stride` bytes apart.
  struct Strips {
    void *memory;
    uint64_t stride;
  };
  /// Copies `count` strips of `bytes` bytes between two allocations.
  virtual Status copy(Strips target, Strips source, uint64_t bytes,
                      uint64_t count) = 0;

  /// Runs the function. Caches are memory of `allocate`, everything else is
  /// host memory; with `wantsLogits` logits are there when the call returns.
  virtual Status run(Inputs &inputs, Outputs &outputs, bool wantsLogits) = 0;
  /// Returns whether `run` stores the place of logits in `outputs`, instead of
  /// writing them to memory that it is given.
  virtual bool hasLogits() const { return false; }

  /// Returns whether the machine runs functions that choose tokens.
  virtual bool runsChoice() const { return false; }
  /// Begins a call of a function that chooses tokens, without waiting. State of
  /// the first call's inputs stays on the machine, until a call has another
  /// number of rows and begins anew; null `ids` are the latest
  /// tokens. Calls are numbered by the token that they choose, and those below
  /// 0 choose none.
  virtual Status enqueue(Inputs &inputs, Outputs &outputs, int64_t number);
  /// The tokens of a call, and for each row 0, 1 after its end, or below 0 for
  /// the failure -1 - number.
  struct Outcome {
    const int64_t *tokens = nullptr, *ended = nullptr;
  };
  /// Waits for a call, one of the latest `mostAhead + 1`.
  virtual Status take(int64_t number, Outcome &outcome);
  /// Sets how many tokens a row has, for calls that begin later.
  virtual Status setLength(size_t row, int64_t length);
  /// How many calls may begin before the outcome of one is taken.
  static constexpr int64_t mostAhead = 8;
};

/// Releases memory of a machine.
struct MachineRelease {
  Machine *machine = nullptr;
  void operator()(void *memory) const { machine->release(memory); }
};
using MachineMemory = std::unique_ptr<void, MachineRelease>;

/// Memory of the host, and a function on it.
class HostMachine final : public Machine {
public:
  using Function = std::function<Status(Inputs &, Outputs &)>;
  explicit HostMachine(Function function) : function(std::move(function)) {}

  Status allocate(const Need &need, void *&memory) override;
  void release(void *memory) override;
  Status copy(Strips target, Strips source, uint64_t bytes,
              uint64_t count) override;
  Status run(Inputs &inputs, Outputs &outputs, bool /*wantsLogits*/) override {
    return function(inputs, outputs);
  }

private:
  Function function;
};

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_MACHINE_H
