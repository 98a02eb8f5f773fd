//===- TileEmulation.cpp - emulates AMX tiles by functions ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TileEmulation.h"

#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <cstring>

using namespace parablock;

namespace {
/// Palette 1: eight tiles of at most 16 rows of 64 bytes, all empty before they
/// are configured.
struct TileState {
  static constexpr unsigned numTiles = 8, mostRows = 16, mostBytes = 64;

  bool isConfigured = false;
  uint16_t rowBytes[numTiles] = {};
  uint8_t rows[numTiles] = {};
  uint8_t data[numTiles][mostRows][mostBytes] = {};
};
} // namespace

/// As threads have it.
static thread_local TileState state;

/// Ends the program, as a processor's exception would.
static void require(bool condition, const char *what) {
  if (!condition)
    llvm::reportFatalUsageError(llvm::Twine("tiles: expected ") + what);
}

static void requireTile(uint8_t tile) {
  require(state.isConfigured, "a configuration");
  require(tile < TileState::numTiles, "one of eight tiles");
  require(state.rows[tile] > 0, "a tile that the configuration has");
}

static void configure(const uint8_t *bytes) {
  // Layout of the 64 bytes: a palette, then sizes of rows in bytes, and numbers
  // of rows.
  constexpr unsigned rowBytesAt = 16, rowsAt = 48;
  require(bytes[0] == 1 && bytes[1] == 0, "palette 1 from row 0 on");
  for (unsigned at = 2; at < rowBytesAt; ++at)
    require(bytes[at] == 0, "reserved bytes to be 0");
  state = TileState();
  state.isConfigured = true;
  for (unsigned tile = 0; tile < 16; ++tile) {
    uint16_t rowBytes = 0;
    std::memcpy(&rowBytes, bytes + rowBytesAt + 2 * tile, sizeof(rowBytes));
    uint8_t rows = bytes[rowsAt + tile];
    require((rows == 0) == (rowBytes == 0), "rows and bytes, or neither");
    require(rows <= TileState::mostRows && rowBytes <= TileState::mostBytes,
            "at most 16 rows of 64 bytes");
    require(tile < TileState::numTiles || rows == 0, "eight tiles");
    if (tile >= TileState::numTiles)
      continue;
    state.rowBytes[tile] = rowBytes;
    state.rows[tile] = rows;
  }
}

static void release() { state = TileState(); }

static void zero(uint8_t tile) {
  requireTile(tile);
  std::memset(state.data[tile], 0, sizeof(state.data[tile]));
}

static void load(uint8_t tile, const char *from, int64_t stride) {
  zero(tile);
  for (unsigned row = 0; row < state.rows[tile]; ++row)
    std::memcpy(state.data[tile][row], from + row * stride,
                state.rowBytes[tile]);
}

static void store(uint8_t tile, char *to, int64_t stride) {
  requireTile(tile);
  for (unsigned row = 0; row < state.rows[tile]; ++row)
    std::memcpy(to + row * stride, state.data[tile][row], state.rowBytes[tile]);
}

/// Tiles have no numbers below the least normal one.
static float flush(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value)
                                                : value;
}

static float fromBF16(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value = 0;
  std::memcpy(&value, &wide, sizeof(value));
  return flush(value);
}

/// Unlike for bf16, subnormal f16 are not flushed.
static float fromF16(uint16_t bits) {
  double value = 0;
  decodeElements(
      ElementType::F16,
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(&bits), sizeof(bits)),
      llvm::MutableArrayRef(value));
  return static_cast<float>(value);
}

/// sums[m][n] += left[m][2k] * right[k][2n] + left[m][2k + 1] * right[k][2n +
/// 1]
template <float (*toFloat)(uint16_t)>
static void multiply(uint8_t sums, uint8_t left, uint8_t right) {
  for (uint8_t tile : {sums, left, right})
    requireTile(tile);
  require(sums != left && sums != right && left != right, "three tiles");
  unsigned rows = state.rows[sums], columns = state.rowBytes[sums] / 4,
           pairs = state.rowBytes[left] / 4;
  require(state.rows[left] == rows && state.rows[right] == pairs &&
              state.rowBytes[right] == 4 * columns,
          "tiles that fit each other");
  auto read = [](uint8_t tile, unsigned row, unsigned at) {
    uint16_t bits = 0;
    std::memcpy(&bits, &state.data[tile][row][2 * at], sizeof(bits));
    return toFloat(bits);
  };
  for (unsigned m = 0; m < rows; ++m)
    for (unsigned n = 0; n < columns; ++n) {
      float even = 0, odd = 0, sum = 0;
      for (unsigned k = 0; k < pairs; ++k) {
        even =
            flush(std::fma(read(left, m, 2 * k), read(right, k, 2 * n), even));
        odd = flush(
            std::fma(read(left, m, 2 * k + 1), read(right, k, 2 * n + 1), odd));
      }
      uint8_t *place = &state.data[sums][m][4 * n];
      std::memcpy(&sum, place, sizeof(sum));
      sum = flush(flush(sum) + flush(even + odd));
      std::memcpy(place, &sum, sizeof(sum));
    }
}

namespace {
struct TileFunction {
  llvm::StringLiteral intrinsic;
  void *address;
};
} // namespace

static const TileFunction functions[] = {
    {"llvm.x86.ldtilecfg", reinterpret_cast<void *>(&configure)},
    {"llvm.x86.tilerelease", reinterpret_cast<void *>(&release)},
    {"llvm.x86.tilezero", reinterpret_cast<void *>(&zero)},
    {"llvm.x86.tileloadd64", reinterpret_cast<void *>(&load)},
    {"llvm.x86.tilestored64", reinterpret_cast<void *>(&store)},
    {"llvm.x86.tdpbf16ps", reinterpret_cast<void *>(&multiply<fromBF16>)},
    {"llvm.x86.tdpfp16ps", reinterpret_cast<void *>(&multiply<fromF16>)}};

static std::string getFunctionName(llvm::StringRef intrinsic) {
  return ("parablock_" + intrinsic.rsplit('.').second).str();
}

void parablock::callTileFunctions(llvm::Module &module) {
  for (const TileFunction &function : functions) {
    llvm::Function *intrinsic = module.getFunction(function.intrinsic);
    if (!intrinsic)
      continue;
    llvm::FunctionCallee callee = module.getOrInsertFunction(
        getFunctionName(function.intrinsic), intrinsic->getFunctionType());
    intrinsic->replaceAllUsesWith(callee.getCallee());
    intrinsic->eraseFromParent();
  }
}

void *parablock::findTileFunction(llvm::StringRef name) {
  for (const TileFunction &function : functions)
    if (name == getFunctionName(function.intrinsic))
      return function.address;
  return nullptr;
}
