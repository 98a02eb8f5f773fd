//===- CacheMemory.cpp - buffers of caches and their first sizes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/CacheMemory.h"

#include "parablock/Files/TensorLayout.h"
#include <algorithm>
#include <limits>

using namespace parablock;
using namespace parablock::generation;

/// Rows reserved at once for tokens that are only expected, in any case and if
/// they need little memory.
static constexpr int64_t expectedRows = 1024;
static constexpr int64_t expectedBytes = int64_t(256) << 20;

int64_t CachePort::getRowBytes() const {
  return width *
         static_cast<int64_t>(files::getTypeBytes(files::getTypeWord(type)));
}

int64_t generation::boundExpected(const std::vector<CachePort> &ports,
                                  int64_t batch, int64_t expected) {
  int64_t tokenBytes = 1;
  for (const CachePort &port : ports)
    if (!port.window)
      tokenBytes += batch * port.getRowBytes();
  return std::min(expected, std::max(expectedRows, expectedBytes / tokenBytes));
}

std::vector<CacheBuffer>
generation::makeBuffers(Machine &machine, const std::vector<CachePort> &ports) {
  std::vector<CacheBuffer> buffers;
  buffers.reserve(ports.size());
  for (const CachePort &port : ports)
    buffers.emplace_back(machine, port);
  return buffers;
}

/// A product of sizes; of one beyond 64 bits, the largest number, which no
/// machine has memory for.
static uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product)
             ? std::numeric_limits<uint64_t>::max()
             : product;
}

uint64_t CacheBuffer::countBytes(int64_t first, int64_t second) const {
  return multiply(first,
                  multiply(second, static_cast<uint64_t>(getRowBytes())));
}

Status CacheBuffer::replace(int64_t first, int64_t second,
                            const std::string &what, uint64_t together,
                            MachineMemory &before) {
  void *made = nullptr;
  if (Status failure =
          machine.allocate({countBytes(first, second), what, together}, made))
    return failure;
  before = std::move(memory);
  memory = MachineMemory(made, MachineRelease{&machine});
  shape = {first, second, port.width};
  tensor = {memory.get(), port.type.c_str(), shape.size(), shape.data()};
  return {};
}
