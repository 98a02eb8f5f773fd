//===- WgmmaTiles.cpp - decodes descriptors and loads tiles ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A descriptor holds, in units of 16 bytes, the start (bits 0-13), the leading
// offset L (16-29) and the stride offset S (32-45), and a swizzle (62-63: none,
// 128, 64, 32 bytes). With P the swizzle in bytes, chunk c of 8 consecutive
// values lies at
//
//   K-major, row i:   none  16 (i % 8) + S (i / 8) + L c
//                     P     P (i % 8) + S (i / 8) + 16 c
//   MN-major, k:      none  S c + 16 (k % 8) + L (k / 8)
//                     P     16 (c % (P / 16)) + L (c / (P / 16))
//                             + P (k % 8) + S (k / 8)
//
// from the start, before the bits of the address are exchanged.
//
//===----------------------------------------------------------------------===//

#include "WgmmaTiles.h"
#include "BulkBox.h"

#include "llvm/Support/Compiler.h"
#include <cstring>

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

namespace {
struct Descriptor {
  uint32_t start, leading, stride, baseOffset;
  TensorMapSwizzle swizzle;

  explicit Descriptor(uint64_t bits)
      : start((bits & 0x3FFF) << 4), leading((bits >> 16 & 0x3FFF) << 4),
        stride((bits >> 32 & 0x3FFF) << 4), baseOffset(bits >> 49 & 7),
        swizzle(decodeSwizzle(bits >> 62)) {}

  static TensorMapSwizzle decodeSwizzle(uint32_t bits) {
    static const TensorMapSwizzle order[] = {
        TensorMapSwizzle::None, TensorMapSwizzle::Bytes128,
        TensorMapSwizzle::Bytes64, TensorMapSwizzle::Bytes32};
    return order[bits];
  }
  /// 0 without swizzling.
  uint32_t span() const {
    return swizzle == TensorMapSwizzle::None
               ? 0
               : 16u << static_cast<uint32_t>(swizzle);
  }
  uint32_t locateKMajor(uint32_t row, uint32_t chunk) const {
    uint32_t offset = row / 8 * stride;
    return span() == 0 ? offset + row % 8 * 16 + chunk * leading
                       : offset + row % 8 * span() + chunk * 16;
  }
  uint32_t locateMNMajor(uint32_t chunk, uint32_t k) const {
    if (span() == 0)
      return chunk * stride + k % 8 * 16 + k / 8 * leading;
    uint32_t perSpan = span() / 16;
    return chunk % perSpan * 16 + chunk / perSpan * leading + k % 8 * span() +
           k / 8 * stride;
  }
};
} // namespace

/// A pattern with another alignment than the hardware's would be read with the
/// wrong bits exchanged.
static void checkStart(Actor &actor, const Descriptor &descriptor) {
  Worker &worker = *actor.thread.cta->cluster->worker;
  uint32_t pattern = 8 * descriptor.span();
  if (descriptor.baseOffset != 0)
    worker.report(
        ReportKind::BadOperand, actor.thread, actor.site,
        "matrix descriptor with base offset " + Twine(descriptor.baseOffset) +
            "; only patterns at multiples of their size are modelled");
  else if (pattern != 0 && (descriptor.start % pattern) / 128 != 0)
    worker.report(ReportKind::BadOperand, actor.thread, actor.site,
                  "matrix descriptor starts at shared memory + " +
                      Twine(descriptor.start) +
                      ", inside a swizzle pattern of " + Twine(pattern) +
                      " bytes");
}

void parablock::emulator::readWgmmaTile(
    Actor &actor, uint64_t bits, uint32_t count, bool isMNMajor,
    NumberFormat format,
    llvm::function_ref<void(uint32_t, uint32_t, float)> put) {
  uint32_t depth = getWgmmaDepth(format), perChunk = depth / 2;
  Descriptor descriptor(bits);
  checkStart(actor, descriptor);
  Cta &cta = *actor.thread.cta;
  LaunchContext &launch = cta.cluster->worker->launch;

  uint8_t bytes[chunkBytes];
  auto readChunk = [&](uint32_t relative) {
    uint32_t offset =
        swizzleOffset(descriptor.start + relative, descriptor.swizzle) %
        sharedWindowBytes;
    Place place;
    place.cta = &cta;
    place.offset = offset;
    place.address = reinterpret_cast<uint64_t>(cta.shared) + offset;
    bool isInside = offset + chunkBytes <= launch.sharedBytes;
    if (isInside)
      place.kind = Place::SharedMemory;
    if (checkRead(actor, place, chunkBytes) && isInside)
      std::memcpy(bytes, cta.shared + offset, chunkBytes);
    else
      std::memset(bytes, 0xFF, chunkBytes);
  };
  auto getValue = [&](uint32_t i) {
    if (format == E4M3)
      return fromE4M3(bytes[i]);
    uint16_t value;
    std::memcpy(&value, bytes + 2 * i, sizeof(value));
    return from16(value, format);
  };

  if (isMNMajor) {
    for (uint32_t k = 0; k < depth; ++k)
      for (uint32_t chunk = 0; chunk < count / perChunk; ++chunk) {
        readChunk(descriptor.locateMNMajor(chunk, k));
        for (uint32_t i = 0; i < perChunk; ++i)
          put(perChunk * chunk + i, k, getValue(i));
      }
    return;
  }
  for (uint32_t row = 0; row < count; ++row)
    for (uint32_t chunk = 0; chunk < depth / perChunk; ++chunk) {
      readChunk(descriptor.locateKMajor(row, chunk));
      for (uint32_t i = 0; i < perChunk; ++i)
        put(row, perChunk * chunk + i, getValue(i));
    }
}

/// Keeps 14 bits of each sum.
static void shorten(WgmmaTiles &tiles, uint32_t columns) {
  for (auto &row : tiles.d)
    for (uint32_t n = 0; n < columns; ++n)
      row[n] =
          llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(row[n]) & 0xFFFFFC00);
}

#if defined(__x86_64__) && defined(__GNUC__) &&                                \
    !LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD
// No fused multiply-add, so that results are the same on every host.
__attribute__((target_clones("avx2", "default")))
#endif
static void multiplyTiles(WgmmaTiles &tiles, uint32_t columns, uint32_t depth) {
  for (uint32_t m = 0; m < wgmmaRows; ++m)
    for (uint32_t k = 0; k < depth; ++k) {
      float x = tiles.a[m][k];
      for (uint32_t n = 0; n < columns; ++n)
        tiles.d[m][n] += x * tiles.b[k][n];
    }
}

void parablock::emulator::multiplyWgmmaTiles(WgmmaTiles &tiles,
                                             uint32_t columns,
                                             NumberFormat format) {
  multiplyTiles(tiles, columns, getWgmmaDepth(format));
  if (format == E4M3)
    shorten(tiles, columns);
}
