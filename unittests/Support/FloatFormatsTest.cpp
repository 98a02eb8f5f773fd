//===- FloatFormatsTest.cpp - Rounding against an exact method ------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/FloatFormats.h"
#include "parablock/Support/SeededRandom.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace parablock;

static const double kInfinite = std::numeric_limits<double>::infinity();
static const double kNotANumber = std::numeric_limits<double>::quiet_NaN();

namespace {
/// A 16-bit format as the table of its finite magnitudes, built by ldexp from
/// the definition; rounding searches the table and compares with midpoints,
/// which double holds exactly.
struct TableFormat {
  const char *name;
  int fractionBits, bias;
  uint16_t infinityBits;
  std::vector<double> magnitudes; // index = bit pattern; the last is infinity

  TableFormat(const char *name, int fractionBits, int bias)
      : name(name), fractionBits(fractionBits), bias(bias),
        infinityBits((2 * bias + 1) << fractionBits) {
    for (unsigned bits = 0; bits <= infinityBits; ++bits) {
      int exponent = bits >> fractionBits;
      int fraction = bits & ((1 << fractionBits) - 1);
      int significand = exponent ? fraction | 1 << fractionBits : fraction;
      // Infinity stands where the next number would be: that is how overflow
      // is decided.
      magnitudes.push_back(
          std::ldexp(significand, std::max(exponent, 1) - bias - fractionBits));
    }
  }

  uint16_t nearest(double magnitude) const {
    if (magnitude >= magnitudes.back())
      return infinityBits;
    size_t above =
        std::upper_bound(magnitudes.begin(), magnitudes.end(), magnitude) -
        magnitudes.begin();
    size_t below = above - 1;
    double middle = magnitudes[below] / 2 + magnitudes[above] / 2;
    if (magnitude != middle)
      return magnitude < middle ? below : above;
    return below % 2 == 0 ? below : above;
  }
};

using ToBits = uint16_t (*)(double);
using FromBits = double (*)(uint16_t);

struct Narrow {
  const TableFormat &table;
  ElementType type;
  ToBits toBits;
  FromBits fromBits;
};

class NarrowFormatTest : public testing::TestWithParam<Narrow> {
protected:
  /// Both signs of one magnitude, by bits and as a rounded double.
  bool agrees(double magnitude) {
    uint16_t want = table.nearest(magnitude);
    double wantValue =
        want == table.infinityBits ? kInfinite : table.magnitudes[want];
    double rounded = roundTo(type, -magnitude);
    return toBits(magnitude) == want && toBits(-magnitude) == (want | 0x8000) &&
           roundTo(type, magnitude) == wantValue && rounded == -wantValue &&
           std::signbit(rounded);
  }

  const TableFormat &table = GetParam().table;
  ElementType type = GetParam().type;
  ToBits toBits = GetParam().toBits;
  FromBits fromBits = GetParam().fromBits;
};
} // namespace

static const TableFormat bf16Table("bf16", 7, 127), f16Table("f16", 10, 15);

INSTANTIATE_TEST_SUITE_P(
    , NarrowFormatTest,
    testing::Values(Narrow{bf16Table, ElementType::BF16, toBF16Bits,
                           fromBF16Bits},
                    Narrow{f16Table, ElementType::F16, toF16Bits, fromF16Bits}),
    [](const auto &info) { return info.param.table.name; });

TEST_P(NarrowFormatTest, EveryPatternRoundTrips) {
  unsigned wrong = 0;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    double value = fromBits(bits);
    unsigned magnitude = bits & 0x7FFF;
    bool ok;
    if (magnitude > table.infinityBits) { // NaN, quiet from here on
      unsigned quiet = bits | 1 << (table.fractionBits - 1);
      ok = std::isnan(value) && toBits(value) == quiet;
    } else {
      double want = magnitude == table.infinityBits
                        ? kInfinite
                        : table.magnitudes[magnitude];
      ok = std::fabs(value) == want && std::signbit(value) == (bits >> 15) &&
           toBits(value) == bits && roundTo(type, value) == value;
    }
    wrong += !ok;
  }
  EXPECT_EQ(wrong, 0u) << "all 65536 patterns round trip";
}

TEST_P(NarrowFormatTest, RoundsEveryTieAndItsNeighbours) {
  unsigned wrong = 0;
  for (size_t i = 0; i + 1 < table.magnitudes.size(); ++i) {
    double low = table.magnitudes[i], high = table.magnitudes[i + 1];
    double middle = low / 2 + high / 2;
    for (double x : {low, middle, high})
      for (double y : {std::nextafter(x, 0.0), x, std::nextafter(x, kInfinite)})
        wrong += !agrees(y);
  }
  EXPECT_EQ(wrong, 0u) << "every value, every tie and their neighbours";
}

TEST_P(NarrowFormatTest, RoundsRandomValues) {
  SeededStream stream(0, table.name);
  unsigned wrong = 0;
  for (unsigned i = 0; i < 200000; ++i) {
    // Exponents a little wider than the format's own.
    double exponent =
        (2 * stream.uniform(3 * i) - 1) * (table.bias + table.fractionBits + 3);
    wrong += !agrees(std::exp2(exponent));
  }
  EXPECT_EQ(wrong, 0u) << "200000 random values";
}

TEST_P(NarrowFormatTest, KeepsWhatIsNotFinite) {
  EXPECT_EQ(toBits(kInfinite), table.infinityBits) << "infinity";
  EXPECT_EQ(roundTo(type, -kInfinite), -kInfinite) << "infinity";
  EXPECT_TRUE(std::isnan(roundTo(type, kNotANumber))) << "NaN";
  EXPECT_TRUE(std::isnan(fromBits(toBits(kNotANumber)))) << "NaN";
  EXPECT_TRUE(std::isnan(fromBits(toBits(-kNotANumber)))) << "NaN";
  EXPECT_EQ(roundTo(type, std::numeric_limits<double>::max()), kInfinite)
      << "largest double overflows";
  EXPECT_EQ(roundTo(type, std::numeric_limits<double>::denorm_min()), 0)
      << "smallest double vanishes";
  EXPECT_EQ(toBits(-0.0), 0x8000) << "minus zero";
}

TEST(FloatFormatsTest, F32RoundsTiesToEven) {
  // Midpoints of neighbouring floats are exact doubles.
  SeededStream stream(0, "f32");
  unsigned wrong = 0;
  for (unsigned i = 0; i < 100000; ++i) {
    uint32_t bits = stream.value(i) & 0x7FFFFFFF;
    if (bits >= 0x7F7FFFFF)
      continue;
    double low = llvm::bit_cast<float>(bits);
    double high = llvm::bit_cast<float>(bits + 1);
    double middle = (low + high) / 2;
    wrong += roundTo(ElementType::F32, middle) != (bits % 2 ? high : low);
    wrong +=
        roundTo(ElementType::F32, std::nextafter(middle, kInfinite)) != high;
    wrong += roundTo(ElementType::F32, std::nextafter(middle, 0.0)) != low;
  }
  EXPECT_EQ(wrong, 0u) << "f32: ties and their neighbours";
  EXPECT_EQ(roundTo(ElementType::F32, 0x1.ffffffp127), kInfinite)
      << "f32: overflow at the tie only";
  EXPECT_EQ(roundTo(ElementType::F32, 0x1.fffffefffffffp127), 0x1.fffffep127)
      << "f32: overflow at the tie only";
}

TEST(FloatFormatsTest, NarrowFormatsRoundOnce) {
  // Float puts these exactly on a tie of the narrow format, which then rounds
  // down to even; the value itself is above the tie.
  double bf16 = 1 + 0x1p-8 + 0x1p-40, f16 = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(roundToBF16(bf16), 1 + 0x1p-7) << "bf16 rounds once";
  EXPECT_EQ(roundToBF16(float(bf16)), 1) << "bf16 rounds once";
  EXPECT_EQ(roundToF16(f16), 1 + 0x1p-10) << "f16 rounds once";
  EXPECT_EQ(roundToF16(float(f16)), 1) << "f16 rounds once";
}

TEST(FloatFormatsTest, IntegersCutAndSaturate) {
  EXPECT_EQ(roundTo(ElementType::I32, -2.9), -2) << "i32 cuts towards zero";
  EXPECT_EQ(roundTo(ElementType::I32, 2.9), 2) << "i32 cuts towards zero";
  EXPECT_EQ(roundTo(ElementType::I8, 1e9), 127) << "i8 saturates";
  EXPECT_EQ(roundTo(ElementType::I8, -1e9), -128) << "i8 saturates";
  EXPECT_EQ(roundTo(ElementType::U8, 1e9), 255) << "u8 saturates";
  EXPECT_EQ(roundTo(ElementType::U8, -1), 0) << "u8 saturates";
  EXPECT_EQ(roundTo(ElementType::I16, kInfinite), 32767) << "i16 saturates";
  EXPECT_EQ(roundTo(ElementType::I64, 1e300), 0x1p63) << "i64 saturates";
  EXPECT_EQ(roundTo(ElementType::I64, -kInfinite), -0x1p63) << "i64 saturates";
  EXPECT_EQ(roundTo(ElementType::I64, kNotANumber), 0) << "NaN is integer 0";
  EXPECT_EQ(roundTo(ElementType::Bool, 0.25), 1) << "bool is not zero";
  EXPECT_EQ(roundTo(ElementType::Bool, 0), 0) << "bool is not zero";
}

TEST(FloatFormatsTest, StorageHoldsRoundedValues) {
  const ElementType all[] = {
      ElementType::F64, ElementType::F32, ElementType::BF16, ElementType::F16,
      ElementType::I64, ElementType::I32, ElementType::I16,  ElementType::I8,
      ElementType::U8,  ElementType::Bool};
  const double values[] = {0, 1, 100, 1.0009765625, -77.25};
  for (ElementType type : all) {
    std::string name = getElementTypeName(type).str();
    SCOPED_TRACE(name);
    EXPECT_EQ(parseElementTypeName(name), type) << "name round trips";
    unsigned size = getElementSize(type);
    std::vector<uint8_t> bytes(5 * size + 1);
    // Off by one byte on purpose: data in files has no alignment.
    llvm::MutableArrayRef<uint8_t> unaligned(bytes.data() + 1, 5 * size);
    encodeElements(type, values, unaligned);
    std::vector<double> decoded(5),
        rounded(std::begin(values), std::end(values));
    decodeElements(type, unaligned, decoded);
    roundTo(type, rounded);
    EXPECT_EQ(decoded, rounded) << "stored values are the rounded ones";
  }
  std::vector<uint8_t> bytes(4);
  encodeElements(ElementType::F32, {1.0}, bytes);
  EXPECT_EQ(bytes, std::vector<uint8_t>({0, 0, 0x80, 0x3F}))
      << "storage is little-endian";
  EXPECT_FALSE(parseElementTypeName("F8_E4M3")) << "unknown names have no type";
  EXPECT_FALSE(parseElementTypeName("f32")) << "unknown names have no type";
}
