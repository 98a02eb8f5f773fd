//===- CacheMemory.cpp - bounds early reservations ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/CacheMemory.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace parablock;
using namespace parablock::generation;

/// Rows reserved at once for tokens that are only expected, in any case and if
/// they need little memory.
static constexpr int64_t expectedRows = 1024;
static constexpr int64_t expectedBytes = int64_t(256) << 20;

int64_t generation::boundExpected(llvm::ArrayRef<CachePort> ports,
                                  int64_t batch, int64_t expected) {
  int64_t tokenBytes = 1;
  for (const CachePort &port : ports)
    if (!port.window)
      tokenBytes += batch * port.width * getElementSize(port.type);
  return std::min(expected, std::max(expectedRows, expectedBytes / tokenBytes));
}

std::optional<CacheBuffer::Memory> CacheBuffer::replace(int64_t first,
                                                        int64_t second) {
  int64_t stride = 0, bytes = 0;
  if (llvm::MulOverflow(second, getRowBytes(), stride) ||
      llvm::MulOverflow(first, stride, bytes))
    return std::nullopt;
  // Zeros, which the system gives when they are first touched.
  Memory made(static_cast<char *>(std::calloc(1, bytes)));
  if (!made)
    return std::nullopt;
  std::swap(memory, made);
  shape = {first, second, port.width};
  tensor = {memory.get(), getElementTypeKeyword(port.type).data(), shape.size(),
            shape.data()};
  return made;
}
