//===- TileRowsTest.cpp - rows, columns and tiles on the emulator ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TileRun.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace parablock;
using namespace parablock::unittest;

static constexpr const char *chips[] = {"sm_80", "sm_90a"};

//===----------------------------------------------------------------------===//
// A norm and an activation
//===----------------------------------------------------------------------===//

/// LayerNorm, a gain, GELU, and the largest of each row; the normalised row
/// passes through scratch memory, turned by one column.
static const char *const normText = R"mlir(
gpu.module @kernels {
  tile.kernel @norm(%x: memref<2x?x70xbf16>, %gain: memref<70xf32>,
                    %y: memref<2x?x70xbf16>, %largest: memref<?xf32>)
      attributes {outputs = 2 : i64, schedule = #tile.schedule<warps = 4, grid = 3>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c70 = arith.constant 70 : index
    %eps = arith.constant 1.0e-5 : f32
    %width = arith.constant 70.0 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %root = arith.constant 0.707106769 : f32
    %sequence = tile.dim %x, 1 : memref<2x?x70xbf16>
    %rows = arith.muli %sequence, %c2 : index
    tile.rows %row below %rows grid {
      %scratch = tile.scratch : !tile.buffer<1x70xf32>
      %sum = tile.reduce add %column = %c0 to %c70 {
        %0 = tile.load %x[%row, %column] : memref<2x?x70xbf16> to f32
        tile.yield %0 : f32
      }
      %mean = arith.divf %sum, %width : f32
      %squares = tile.reduce add %column = %c0 to %c70 {
        %0 = tile.load %x[%row, %column] : memref<2x?x70xbf16> to f32
        %1 = arith.subf %0, %mean : f32
        %2 = arith.mulf %1, %1 : f32
        tile.yield %2 : f32
      }
      %variance = arith.divf %squares, %width : f32
      %shifted = arith.addf %variance, %eps : f32
      %factor = math.rsqrt %shifted : f32
      tile.columns %column = %c0 to %c70 {
        %0 = tile.load %x[%row, %column] : memref<2x?x70xbf16> to f32
        %1 = arith.subf %0, %mean : f32
        %2 = arith.mulf %1, %factor : f32
        %3 = tile.load %gain[%column] : memref<70xf32> to f32
        %4 = arith.mulf %2, %3 : f32
        %5 = tile.round %4 to bf16
        tile.store %5, %scratch[%c0, %column] : f32 to !tile.buffer<1x70xf32>
      }
      %max = tile.reduce max %column = %c0 to %c70 {
        %0 = tile.load %scratch[%c0, %column] : !tile.buffer<1x70xf32> to f32
        tile.yield %0 : f32
      }
      tile.store %max, %largest[%row] : f32 to memref<?xf32>
      tile.columns %column = %c0 to %c70 {
        %next = arith.addi %column, %c1 : index
        %from = arith.remui %next, %c70 : index
        %0 = tile.load %scratch[%c0, %from] : !tile.buffer<1x70xf32> to f32
        %1 = arith.mulf %0, %root : f32
        %2 = math.erf %1 : f32
        %3 = arith.addf %2, %one : f32
        %4 = arith.mulf %3, %half : f32
        %5 = arith.mulf %4, %0 : f32
        tile.store %5, %y[%row, %column] : f32 to memref<2x?x70xbf16>
      }
    }
    tile.return
  }
}
)mlir";

namespace {
struct NormRun {
  static constexpr uint32_t sequence = 9, rows = 18, width = 70;
  TestDevice device;
  std::vector<double> x, gain;
  uint16_t *addressX, *addressY;
  float *addressGain, *addressLargest;

  NormRun()
      : x(drawValues("x", rows * width)), gain(drawValues("gain", width)) {
    std::vector<uint16_t> bits;
    for (double value : x)
      bits.push_back(toBF16Bits(value));
    addressX = device.put(bits, "x");
    addressGain =
        device.put(std::vector<float>(gain.begin(), gain.end()), "gain");
    addressY = device.makeRoom<uint16_t>(rows * width, "y");
    addressLargest = device.makeRoom<float>(rows, "largest");
  }

  std::vector<KernelArgument> getArguments() const {
    // The sizes that are not in the types follow their tensors.
    return {KernelArgument::of(addressX),    KernelArgument::of(sequence),
            KernelArgument::of(addressGain), KernelArgument::of(addressY),
            KernelArgument::of(sequence),    KernelArgument::of(addressLargest),
            KernelArgument::of(rows)};
  }

  /// Against doubles; f32 differs by less than the rounding of the results.
  void check() {
    std::vector<uint16_t> y = device.get(addressY, rows * width);
    std::vector<float> largest = device.get(addressLargest, rows);
    double worst = 0;
    for (uint32_t row = 0; row < rows; ++row) {
      std::vector<double> normal = normalize(row);
      double max = *std::max_element(normal.begin(), normal.end());
      worst = std::fmax(worst, std::fabs(largest[row] - max));
      for (uint32_t column = 0; column < width; ++column) {
        double value = normal[(column + 1) % width];
        double want = value * 0.5 * (1 + std::erf(value * std::sqrt(0.5)));
        double got = fromBF16Bits(y[row * width + column]);
        double error = std::fabs(got - want) / (1e-2 + std::fabs(want));
        worst = error <= worst ? worst : error;
      }
    }
    EXPECT_LT(worst, 0x1p-7) << "the error is that of bf16";
    auto unwritten = device.memory->countUninitialized(
        addressY, rows * width * sizeof(uint16_t));
    EXPECT_EQ(llvm::cantFail(std::move(unwritten)), 0u) << "bytes not written";
  }

private:
  std::vector<double> normalize(uint32_t row) const {
    const double *values = &x[row * width];
    double mean = 0, variance = 0;
    for (uint32_t i = 0; i < width; ++i)
      mean += values[i] / width;
    for (uint32_t i = 0; i < width; ++i)
      variance += (values[i] - mean) * (values[i] - mean) / width;
    std::vector<double> normal;
    for (uint32_t i = 0; i < width; ++i)
      normal.push_back(roundToBF16((values[i] - mean) /
                                   std::sqrt(variance + 1e-5) * gain[i]));
    return normal;
  }
};
} // namespace

TEST(TileRowsTest, NormsAreTheSameBitsOnAnyGrid) {
  for (const char *chip : chips) {
    NormRun run;
    TileKernel kernel(run.device, normText, chip);
    kernel.launch(run.getArguments());
    run.check();
    std::vector<uint16_t> first =
        run.device.get(run.addressY, NormRun::rows * NormRun::width);
    // The order of no sum depends on who computes it when.
    for (unsigned grid : {1, 5}) {
      EmulatorOptions options;
      options.scheduleSeed = grid;
      TileKernel again(run.device, normText, chip, options);
      again.launch(run.getArguments(), grid);
      EXPECT_EQ(run.device.get(run.addressY, first.size()), first)
          << "the same bits on another grid";
    }
  }
}

//===----------------------------------------------------------------------===//
// Tiles in bands, rows in tiles, tables
//===----------------------------------------------------------------------===//

/// Every element gets its row, its column's entry of a table, and how often it
/// was visited.
static const char *const tilesText = R"mlir(
gpu.module @kernels {
  tile.kernel @tiles(%y: memref<?x20xf32>, %count: memref<?xi32>)
      attributes {outputs = 2 : i64, schedule = #tile.schedule<warps = 3, grid = 4>} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c10 = arith.constant 10 : index
    %c20 = arith.constant 20 : index
    %thousand = arith.constant 1000.0 : f32
    %table = tile.table dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0]> : tensor<20xf32> : memref<20xf32>
    %rows = tile.dim %y, 0 : memref<?x20xf32>
    %tiles = arith.ceildivui %rows, %c10 : index
    tile.tiles (%i, %j) below (%tiles, %c3) band 2 {
      %first = arith.muli %i, %c10 : index
      %left = arith.subi %rows, %first : index
      %count10 = arith.minsi %left, %c10 : index
      %from = arith.muli %j, %c8 : index
      %end = arith.addi %from, %c8 : index
      %to = arith.minsi %end, %c20 : index
      tile.rows %r below %count10 extent 10 {
        %row = arith.addi %first, %r : index
        %number = arith.index_cast %row : index to i32
        %real = arith.sitofp %number : i32 to f32
        %scaled = arith.mulf %real, %thousand : f32
        tile.columns %column = %from to %to {
          %0 = tile.load %table[%column] : memref<20xf32> to f32
          %1 = arith.addf %scaled, %0 : f32
          tile.store %1, %y[%row, %column] : f32 to memref<?x20xf32>
        }
        %isFirst = arith.cmpi eq, %j, %c0 : index
        scf.if %isFirst {
          tile.store %number, %count[%row] : i32 to memref<?xi32>
        }
      }
    }
    tile.return
  }
}
)mlir";

TEST(TileRowsTest, EveryElementOfEveryTileIsVisited) {
  for (const char *chip : chips)
    for (uint32_t rows : {1, 47}) {
      TestDevice device;
      float *y = device.makeRoom<float>(rows * 20, "y");
      int32_t *count = device.makeRoom<int32_t>(rows, "count");
      TileKernel kernel(device, tilesText, chip);
      kernel.launch({KernelArgument::of(y), KernelArgument::of(rows),
                     KernelArgument::of(count), KernelArgument::of(rows)});
      std::vector<float> got = device.get(y, rows * 20);
      std::vector<int32_t> numbers = device.get(count, rows);
      bool allRight = true;
      for (uint32_t row = 0; row < rows; ++row) {
        allRight &= numbers[row] == static_cast<int32_t>(row);
        for (uint32_t column = 0; column < 20; ++column)
          allRight &=
              got[row * 20 + column] == static_cast<float>(1000 * row + column);
      }
      EXPECT_TRUE(allRight) << "every element of every tile";
    }
}
