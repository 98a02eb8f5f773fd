//===- CacheBuffers.cpp - grows contiguous caches -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/CacheBuffers.h"

#include <algorithm>

using namespace parablock;
using namespace parablock::generation;

int64_t generation::countRingRows(int64_t window) {
  return window + std::clamp<int64_t>(window, 64, 512);
}

/// The rows of a buffer that are enough for so many tokens of each batch row.
static int64_t countRows(const CachePort &port, int64_t tokens) {
  return port.window ? std::min(tokens, countRingRows(*port.window)) : tokens;
}

CacheBuffers::CacheBuffers(Machine &machine,
                           const std::vector<CachePort> &ports, int64_t batch,
                           int64_t expected)
    : machine(machine), buffers(makeBuffers(machine, ports)), batch(batch),
      expected(boundExpected(ports, batch, expected)) {
  for (const CachePort &port : ports) {
    if (!port.window)
      continue;
    int64_t rows = countRingRows(*port.window), beyond = rows - *port.window;
    leastRing = std::min(leastRing.value_or(rows), rows);
    leastBeyond = std::min(leastBeyond.value_or(beyond), beyond);
  }
}

int64_t CacheBuffers::countNext(int64_t held, int64_t tokens) const {
  return !leastRing || held + tokens <= *leastRing
             ? tokens
             : std::min(tokens, *leastBeyond);
}

Status CacheBuffers::grow(CacheBuffer &buffer, int64_t rows, int64_t held,
                          uint64_t together) const {
  int64_t old = buffer.getSize(1);
  auto rowBytes = static_cast<uint64_t>(buffer.getRowBytes());
  MachineMemory before;
  if (Status failure = buffer.replace(
          batch, rows, "caches of " + std::to_string(rows) + " tokens",
          together, before))
    return failure;
  if (held == 0 || old == 0)
    return {};
  return machine.copy(
      {buffer.getData(), rows * rowBytes}, {before.get(), old * rowBytes},
      std::min(held, old) * rowBytes, static_cast<uint64_t>(batch));
}

Status CacheBuffers::reserve(int64_t held, int64_t tokens, int64_t) {
  if (tokens <= room)
    return {};
  int64_t wanted = std::max({tokens, expected, 2 * room, firstRows});
  uint64_t together = 0;
  for (const CacheBuffer &buffer : buffers)
    together += buffer.countBytes(batch, countRows(buffer.getPort(), wanted));
  for (CacheBuffer &buffer : buffers) {
    int64_t rows = countRows(buffer.getPort(), wanted);
    // A ring that is whole stays.
    if (buffer.getSize(1) != rows)
      if (Status failure = grow(buffer, rows, held, together))
        return failure;
  }
  room = wanted;
  return {};
}
