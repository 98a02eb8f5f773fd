//===- SizeNeeds.h - requirements on sizes ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SIZENEEDS_H
#define PARABLOCK_LIB_RAISE_SIZENEEDS_H

#include "Polynomial.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/OperationSupport.h"
#include <string>
#include <vector>

namespace parablock::raise {

/// Returns the location of an op; merged constants have none, and get that of
/// their first reader.
mlir::Location findPlace(mlir::Operation *op);

/// Why a function is not raised, and the op that is the reason.
struct SizeRefusal {
  std::string what;
  mlir::Location location;
};

/// An op with requirements on the sizes with which a function is raised.
struct SizeReader {
  mlir::OperationName name;
  mlir::Location location;
};

/// A place at which numbers computed of positions bend.
struct Bend {
  int64_t number;
  SizeReader origin;
};

/// Rows of a constant table that a size counts.
struct TableEnd {
  Polynomial read;
  int64_t rows;
  SizeReader reader;
};

/// The requirements on the numbers with which a function is raised.
struct SizeNeeds {
  std::optional<SizeRefusal> refusal;
  /// Sizes must be larger than these.
  std::vector<Bend> bends;
  /// Tables that must be read to their ends.
  std::vector<TableEnd> ends;
  /// Sizes that the function computes.
  std::vector<Polynomial> extents;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SIZENEEDS_H
