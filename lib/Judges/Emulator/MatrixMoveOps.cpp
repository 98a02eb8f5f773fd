//===- MatrixMoveOps.cpp - ldmatrix and stmatrix --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matrix q has 8 rows of 16 bytes, at the addresses of lanes 8q to 8q + 7. Lane
// l holds elements (l / 4, 2 * (l % 4)) and the next in the row of each, or,
// transposed, (2 * (l % 4), l / 4) and the next in the column.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Gather.h"
#include "OpTable.h"

#include <cstring>

using namespace parablock;
using namespace parablock::emulator;

static constexpr uint32_t rowBytes = 16;

using Matrix = uint16_t[8][8];

/// Reads or writes the rows of matrix `q`; skips rows that must not be
/// accessed.
template <bool isStore>
static void moveRows(Gathering &all, uint32_t q, Matrix &matrix) {
  for (uint32_t row = 0; row < 8; ++row) {
    uint32_t lane = 8 * q + row;
    Thread *thread = all.threads[lane];
    if (!thread)
      continue; // a warp that is not full has been reported
    uint64_t address = all.arguments[lane][0].u64;
    Actor actor(*thread, *all.site);
    unsigned space = all.site->addressSpace;
    bool allowed = isStore
                       ? checkWrite(actor, address, rowBytes, rowBytes, space)
                       : checkRead(actor, address, rowBytes, rowBytes, space);
    auto *memory = reinterpret_cast<char *>(address);
    if (!allowed)
      std::memset(matrix[row], 0xFF, rowBytes);
    else if (isStore)
      std::memcpy(memory, matrix[row], rowBytes);
    else
      std::memcpy(matrix[row], memory, rowBytes);
  }
}

template <bool transposed>
static uint16_t &element(Matrix &matrix, uint32_t lane, uint32_t half) {
  uint32_t line = lane / 4, place = 2 * (lane % 4) + half;
  return transposed ? matrix[place][line] : matrix[line][place];
}

template <bool transposed> static void load(OpCall &call) {
  gatherWarp(call, [](Gathering &all) {
    uint32_t count = all.site->row->parameter;
    for (uint32_t q = 0; q < count; ++q) {
      Matrix matrix = {};
      moveRows<false>(all, q, matrix);
      for (uint32_t lane = 0; lane < warpSize; ++lane) {
        if (!all.threads[lane])
          continue;
        auto *result = static_cast<char *>(all.results[lane]) + 4 * q;
        for (uint32_t half = 0; half < 2; ++half)
          std::memcpy(result + 2 * half,
                      &element<transposed>(matrix, lane, half), 2);
      }
    }
  });
}

template <bool transposed> static void store(OpCall &call) {
  gatherWarp(call, [](Gathering &all) {
    uint32_t count = all.site->row->parameter;
    for (uint32_t q = 0; q < count; ++q) {
      Matrix matrix = {};
      for (uint32_t lane = 0; lane < warpSize; ++lane) {
        if (!all.threads[lane])
          continue;
        uint32_t pair = all.arguments[lane][1 + q].u32;
        for (uint32_t half = 0; half < 2; ++half)
          element<transposed>(matrix, lane, half) =
              static_cast<uint16_t>(pair >> 16 * half);
      }
      moveRows<true>(all, q, matrix);
    }
  });
}

#define MOVE(name, count, function)                                            \
  {"llvm.nvvm." name ".sync.aligned.m8n8.x" #count ".b16", function<false>,    \
   count},                                                                     \
  {                                                                            \
    "llvm.nvvm." name ".sync.aligned.m8n8.x" #count ".trans.b16",              \
        function<true>, count                                                  \
  }

llvm::ArrayRef<OpRow> parablock::emulator::getMatrixMoveOps() {
  static const OpRow rows[] = {
      MOVE("ldmatrix", 1, load),  MOVE("ldmatrix", 2, load),
      MOVE("ldmatrix", 4, load),  MOVE("stmatrix", 1, store),
      MOVE("stmatrix", 2, store), MOVE("stmatrix", 4, store),
  };
  return rows;
}
