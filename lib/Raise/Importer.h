//===- Importer.h - upstream ops as expressions -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_IMPORTER_H
#define PARABLOCK_LIB_RAISE_IMPORTER_H

#include "Graph.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace parablock::raise {

struct Loops;

class Importer {
public:
  Importer(Graph &graph) : graph(graph) {}

  /// Gives every value of the function a term. An operation that is not
  /// understood makes leaves.
  /// `turned` are copies of streams with the batch first.
  void import(mlir::FunctionOpInterface function,
              llvm::ArrayRef<mlir::Value> turned = {});
  /// The term of a tensor, or of a scalar as one element.
  Term get(mlir::Value value);
  const llvm::DenseMap<mlir::Value, Term> &getTerms() const { return terms; }
  /// Structured ops whose assertions are seen to by pieces in their place.
  const llvm::DenseSet<mlir::Operation *> &getAsserting() const {
    return asserting;
  }

private:
  void importArguments(mlir::FunctionOpInterface function);
  void importOperation(mlir::Operation *op);
  void importLeaves(mlir::Operation *op);
  void set(mlir::Value value, Term term);

  // ImportScalars.cpp
  Term importConstant(mlir::Operation *op);
  /// An `arith` or `math` operation on terms of one size.
  Term importScalar(mlir::Operation *op, llvm::ArrayRef<Term> operands);

  // ImportTensor.cpp
  Term importTensor(mlir::Operation *op);
  Term readSlice(const Term &source, llvm::ArrayRef<int64_t> shape,
                 llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes,
                 llvm::ArrayRef<int64_t> strides);
  Term concatenate(mlir::ValueRange parts, int64_t axis);
  Term insertSlice(mlir::Operation *op);
  /// Elements of a table at coordinates that are terms of one size.
  Term extract(const Term &table, llvm::ArrayRef<int64_t> shape,
               llvm::ArrayRef<Term> coordinates);

  // ImportLinalg.cpp
  class Body;
  bool importLinalg(mlir::linalg::LinalgOp op);
  std::optional<llvm::SmallVector<Term>>
  importPart(mlir::linalg::LinalgOp op, const Loops &loops, unsigned &cuts);

  // ImportTosa.cpp
  Term importTosa(mlir::Operation *op);
  Term importTosaElementwise(mlir::Operation *op);
  Term importTosaReduction(mlir::Operation *op);
  Term importTosaMatmul(mlir::Operation *op);
  Term importTosaConvolution(mlir::Operation *op);
  Term importTosaGather(mlir::Operation *op);
  Term importTosaTile(mlir::Operation *op);

  Graph &graph;
  llvm::DenseMap<mlir::Value, Term> terms;
  llvm::DenseSet<mlir::Operation *> asserting;
};

/// Row-major strides of a shape.
llvm::SmallVector<int64_t> getPlaces(llvm::ArrayRef<int64_t> shape);
/// The transposition of a tensor: dimension `d` of the result is dimension
/// `permutation[d]` of the operand.
Layout getTransposition(llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> permutation);
/// The layout that gives `numbers` over `shape`, if there is one.
std::optional<Layout> fitLayout(llvm::ArrayRef<double> numbers,
                                llvm::ArrayRef<int64_t> shape);
/// The layout that numbers of a constant are, read as positions.
std::optional<Layout> getIndexLayout(const Term &index);
/// A rounding where the type has 16 bits, else nothing.
Term roundToType(Graph &graph, Term term, mlir::Type type);
/// The shape of a tensor, or of a scalar.
llvm::ArrayRef<int64_t> getShape(mlir::Value value);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_IMPORTER_H
