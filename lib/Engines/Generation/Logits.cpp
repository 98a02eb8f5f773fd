//===- Logits.cpp - converts stored floats to f32 -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/Logits.h"

#include <cstdint>
#include <cstring>

using namespace parablock;

static float fromBits(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

static float fromBF16(uint16_t bits) { return fromBits(uint32_t(bits) << 16); }

static float fromF16(uint16_t bits) {
  uint32_t sign = uint32_t(bits >> 15) << 31, magnitude = bits & 0x7FFF;
  constexpr uint32_t infinity = 0x7C00, smallestNormal = 0x0400;
  if (magnitude >= infinity) // infinity, or NaN with its payload
    return fromBits(sign | 0x7F800000 | (magnitude & 0x03FF) << 13);
  if (magnitude < smallestNormal) {
    float value = static_cast<float>(magnitude) * 0x1p-24f;
    return sign ? -value : value;
  }
  return fromBits(sign | ((magnitude << 13) + ((127 - 15) << 23)));
}

bool generation::isLogitsType(std::string_view type) {
  return type == "f64" || type == "f32" || type == "bf16" || type == "f16";
}

template <typename Stored, typename Convert>
static void readAs(const void *data, size_t count, float *values,
                   const Convert &convert) {
  const auto *bytes = static_cast<const unsigned char *>(data);
  for (size_t i = 0; i < count; ++i) {
    Stored stored;
    std::memcpy(&stored, bytes + i * sizeof(stored), sizeof(stored));
    values[i] = convert(stored);
  }
}

void generation::readLogits(std::string_view type, const void *data,
                            size_t count, float *values) {
  if (type == "f32")
    std::memcpy(values, data, count * sizeof(float));
  else if (type == "bf16")
    readAs<uint16_t>(data, count, values, fromBF16);
  else if (type == "f16")
    readAs<uint16_t>(data, count, values, fromF16);
  else
    readAs<double>(data, count, values,
                   [](double value) { return static_cast<float>(value); });
}
