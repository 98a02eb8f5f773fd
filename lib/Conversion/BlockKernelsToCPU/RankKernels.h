//===- RankKernels.h - kernels of functions of several ranks ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_RANKKERNELS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_RANKKERNELS_H

#include "parablock/Conversion/CPUCode/Frame.h"

namespace parablock::cpugen {

/// Maximum number of dimensions that a launch of buildSumKernel passes as
/// sizes: those of the tensor, padded with ones to this number, and the number
/// of units of an element.
inline constexpr unsigned kMaxSummedDims = 6;

/// Generates a kernel of one item that sums a tensor of `unit`s over all ranks,
/// by MPI. Tensors: the summand, the sum.
KernelCode buildSumKernel(Frame &frame, mlir::Type unit);

/// Generates a kernel that starts such a sum. The last tensor is the request,
/// of 8 bytes. cpu-lower-mpi makes its calls those of MPI_Iallreduce.
KernelCode buildStartKernel(Frame &frame, mlir::Type unit);
/// Generates the kernel that waits for it. Tensors: the summand, the request,
/// the sum.
KernelCode buildAwaitKernel(Frame &frame);

/// The attribute of functions that start sums.
inline constexpr llvm::StringLiteral kStartsSum = "cpu.starts_sum";

/// An exchange of the rows of experts (`block.rows_to_experts`, or the way
/// back) by one rank.
struct RowExchange {
  bool isBack = false;
  int64_t ranks = 1, rank = 0;
  /// Experts of a rank, choices of a row, and 16-bit words of a row.
  int64_t experts = 0, slots = 0, words = 0;

  /// Returns how many rows that a rank has are exchanged by one call.
  int64_t getRowsAtOnce() const;
};

/// The sizes of its launch: sequences, and rows of each that a rank has.
/// Generates its kernel of one item. Tensors: the rows, the choices, the
/// result, rows that are sent and that are received at once, and for each rank
/// the numbers of words that are sent to it, their first one, and the same of
/// what is received, in i32. cpu-lower-mpi makes its calls those of
/// MPI_Alltoallv.
KernelCode buildRowExchangeKernel(Frame &frame, const RowExchange &form);

/// The attribute of functions that exchange rows: the number of ranks.
inline constexpr llvm::StringLiteral kExchangesRows = "cpu.exchanges_rows";
/// The place of the numbers among the tensors of such a function.
inline constexpr int32_t kExchangeNumbers = 5;

/// The sizes of a launch that moves a part of one dimension of a tensor, with
/// all of the other dimensions.
struct MoveDims {
  enum : unsigned {
    /// Up to three dimensions before it.
    Outer = 0,
    Whole = 3,
    Part = 4,
    /// Up to three dimensions behind it.
    Inner = 5,
    /// 16-bit words of an element.
    Words = 8,
    /// The part begins at the product of these.
    Factor = 9,
    Unit = 10,
    Count = 11
  };
};

/// Generates a kernel that copies a tensor and replaces a part of it by
/// another. An item is a position in the outer dimensions. Tensors: the part,
/// the base unless it is all zeros, the result.
KernelCode buildPutKernel(Frame &frame, bool hasBase);

/// Builds the kernel that extracts a part. Tensors: the whole, the result.
KernelCode buildTakeKernel(Frame &frame);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_RANKKERNELS_H
