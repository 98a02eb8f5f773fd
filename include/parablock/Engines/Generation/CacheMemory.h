//===- CacheMemory.h - interface of caches ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_CACHEMEMORY_H
#define PARABLOCK_GENERATION_CACHEMEMORY_H

#include "parablock/Engines/Generation/Machine.h"
#include "parablock/Engines/Generation/TokenPorts.h"
#include <array>

namespace parablock::generation {

/// Keys and values of all attentions, of rows that are processed together and
/// hold the same number of tokens.
class CacheMemory {
public:
  virtual ~CacheMemory() = default;

  /// Returns how many of `tokens` tokens fit in one call, if rows hold `held`.
  virtual int64_t countNext(int64_t held, int64_t tokens) const = 0;

  /// Grows rows to `tokens` tokens, of which they hold `held`. Rows that have
  /// ended without the loop's knowledge may be `lag` tokens behind, and still
  /// write their next token.
  virtual Status reserve(int64_t held, int64_t tokens, int64_t lag = 0) = 0;

  /// Returns each cache, in the order of the ports. Addresses of the
  /// descriptors are stable; their contents change when a cache grows.
  virtual const ParablockTensor &operator[](size_t index) const = 0;

  /// Returns the table of pages, or null for caches without pages.
  virtual const ParablockTensor *getTable() const { return nullptr; }

  /// Marks a row as no longer read.
  virtual void end(size_t row) {}

  /// Returns the number of tokens of a row, if rows hold `held`.
  virtual int64_t countOf(size_t /*row*/, int64_t held) const { return held; }
};

/// Keys or values of one attention: a tensor of rank 3 whose last size is
/// known.
class CacheBuffer {
public:
  CacheBuffer(Machine &machine, const CachePort &port)
      : machine(machine), port(port) {}

  /// Allocates zeroed memory of these sizes and moves the present one to
  /// `before`; a failure names `what` and changes nothing. `together` is the
  /// number of bytes of all buffers.
  Status replace(int64_t first, int64_t second, const std::string &what,
                 uint64_t together, MachineMemory &before);

  /// Returns the bytes of memory of these sizes.
  uint64_t countBytes(int64_t first, int64_t second) const;

  int64_t getSize(unsigned dim) const { return shape[dim]; }
  int64_t getRowBytes() const { return port.getRowBytes(); }
  const CachePort &getPort() const { return port; }
  const ParablockTensor &getTensor() const { return tensor; }
  void *getData() const { return memory.get(); }

private:
  Machine &machine;
  CachePort port;
  std::array<int64_t, 3> shape{};
  ParablockTensor tensor{};
  MachineMemory memory;
};

/// Minimum initial rows of caches.
constexpr int64_t firstRows = 64;

/// Bounds the expected tokens of each row for which memory is reserved early,
/// since long expected sequences may never occur.
int64_t boundExpected(const std::vector<CachePort> &ports, int64_t batch,
                      int64_t expected);

/// Makes a buffer without memory for each port.
std::vector<CacheBuffer> makeBuffers(Machine &machine,
                                     const std::vector<CachePort> &ports);

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_CACHEMEMORY_H
