//===- CacheBuffers.cpp - keys and values, written in place ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/CacheBuffers.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using namespace parablock;
using namespace parablock::generation;

/// Rows that buffers begin with, at least, and those that are taken at once for
/// tokens that are only expected, whatever they take and where they take
/// little.
static constexpr int64_t firstRows = 64, expectedRows = 1024;
static constexpr int64_t expectedBytes = int64_t(256) << 20;

/// Tokens beyond a window that a ring has room for: so many may come in one
/// call.
static int64_t countBeyond(int64_t window) {
  return std::clamp<int64_t>(window, 64, 512);
}

/// The rows of a buffer that are enough for so many tokens of each batch row.
static int64_t countRows(const CachePort &port, int64_t tokens) {
  return port.window
             ? std::min(tokens, *port.window + countBeyond(*port.window))
             : tokens;
}

CacheBuffers::CacheBuffers(llvm::ArrayRef<CachePort> ports, int64_t batch,
                           int64_t expected)
    : buffers(ports.size()) {
  int64_t tokenBytes = 1;
  for (auto [buffer, port] : llvm::zip_equal(buffers, ports)) {
    buffer.port = port;
    buffer.tensor.type = getElementTypeKeyword(port.type).data();
    buffer.tensor.rank = buffer.shape.size();
    buffer.tensor.shape = buffer.shape.data();
    buffer.shape = {batch, 0, port.width};
    if (!port.window) {
      tokenBytes += batch * port.width * getElementSize(port.type);
      continue;
    }
    int64_t beyond = countBeyond(*port.window), rows = *port.window + beyond;
    leastRing = std::min(leastRing.value_or(rows), rows);
    leastBeyond = std::min(leastBeyond.value_or(beyond), beyond);
  }
  this->expected =
      std::min(expected, std::max(expectedRows, expectedBytes / tokenBytes));
}

int64_t CacheBuffers::countNext(int64_t held, int64_t tokens) const {
  return !leastRing || held + tokens <= *leastRing
             ? tokens
             : std::min(tokens, *leastBeyond);
}

llvm::Error CacheBuffers::grow(Buffer &buffer, int64_t rows, int64_t held) {
  int64_t rowBytes = buffer.port.width * getElementSize(buffer.port.type);
  int64_t batch = buffer.shape[0], old = buffer.shape[1], stride = 0, bytes = 0;
  bool isTooMuch = llvm::MulOverflow(rows, rowBytes, stride) ||
                   llvm::MulOverflow(batch, stride, bytes);
  // Zeros, which the system gives when they are first touched.
  std::unique_ptr<char, Free> memory(
      isTooMuch ? nullptr : static_cast<char *>(std::calloc(1, bytes)));
  if (!memory)
    return llvm::createStringError("no memory for caches of " +
                                   llvm::Twine(rows) + " tokens");
  for (int64_t row = 0; row < batch && held > 0 && old > 0; ++row)
    std::memcpy(memory.get() + row * stride,
                buffer.memory.get() + row * old * rowBytes,
                std::min(held, old) * rowBytes);
  buffer.memory = std::move(memory);
  buffer.shape[1] = rows;
  buffer.tensor.data = buffer.memory.get();
  return llvm::Error::success();
}

llvm::Error CacheBuffers::reserve(int64_t held, int64_t tokens) {
  if (tokens <= room)
    return llvm::Error::success();
  int64_t wanted = std::max({tokens, expected, 2 * room, firstRows});
  for (Buffer &buffer : buffers) {
    int64_t rows = countRows(buffer.port, wanted);
    // A ring that is whole stays.
    if (buffer.shape[1] != rows)
      if (llvm::Error error = grow(buffer, rows, held))
        return error;
  }
  room = wanted;
  return llvm::Error::success();
}
