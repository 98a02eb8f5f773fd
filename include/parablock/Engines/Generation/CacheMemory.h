//===- CacheMemory.h - where keys and values are ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_CACHEMEMORY_H
#define PARABLOCK_GENERATION_CACHEMEMORY_H

#include "parablock-c/Program.h"
#include "parablock/Engines/Generation/TokenPorts.h"
#include <array>
#include <cstdlib>
#include <memory>

namespace parablock::generation {

/// Keys and values of all attentions, of rows that go on side by side and hold
/// as many tokens each.
class CacheMemory {
public:
  virtual ~CacheMemory() = default;

  /// Gives how many of so many tokens go in at once, where rows hold `held`.
  virtual int64_t countNext(int64_t held, int64_t tokens) const = 0;

  /// Makes room for rows of so many tokens, of which they hold `held`.
  virtual llvm::Error reserve(int64_t held, int64_t tokens) = 0;

  /// Each cache, in the order of the ports. Places stay; what they say changes
  /// where room is made.
  virtual const ParablockTensor &operator[](size_t index) const = 0;

  /// The table of pages, where caches lie in some.
  virtual const ParablockTensor *getTable() const { return nullptr; }

  /// Notes that a row is not read any more.
  virtual void end(size_t row) {}

  /// Gives the tokens that a row has there, where rows hold `held`.
  virtual int64_t countOf(size_t row, int64_t held) const { return held; }
};

/// Keys or values of one attention: a tensor of three sizes, of which the
/// last is known.
class CacheBuffer {
public:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<char, Free>;

  explicit CacheBuffer(const CachePort &port) : port(port) {}

  /// Takes memory of such sizes, zeros, and gives what there was; nothing, and
  /// changes nothing, where there is not so much.
  std::optional<Memory> replace(int64_t first, int64_t second);

  int64_t getSize(unsigned dim) const { return shape[dim]; }
  int64_t getRowBytes() const { return port.width * getElementSize(port.type); }
  const CachePort &getPort() const { return port; }
  const ParablockTensor &getTensor() const { return tensor; }
  char *getData() const { return memory.get(); }

private:
  CachePort port;
  std::array<int64_t, 3> shape{};
  ParablockTensor tensor{};
  Memory memory;
};

/// Rows that caches begin with, at least.
constexpr int64_t firstRows = 64;

/// Bounds the tokens of each row that room is taken for because they are
/// expected: what is not little may never come.
int64_t boundExpected(llvm::ArrayRef<CachePort> ports, int64_t batch,
                      int64_t expected);

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_CACHEMEMORY_H
