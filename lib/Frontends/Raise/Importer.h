//===- Importer.h - upstream ops as expressions -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_IMPORTER_H
#define PARABLOCK_LIB_RAISE_IMPORTER_H

#include "Graph.h"
#include "MarkArguments.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace mlir::linalg {
class LinalgOp;
class SoftmaxOp;
} // namespace mlir::linalg

namespace parablock::raise {

/// Assigns a term to every value of a function; operations that are not
/// understood become leaves. The functions below define the operations of each
/// dialect.
class Importer {
public:
  Importer(Graph &graph) : graph(graph) {}

  /// Imports the whole function; `turned` are copies of streams with the batch
  /// first.
  void import(mlir::FunctionOpInterface function,
              llvm::ArrayRef<mlir::Value> turned = {});
  /// The term of a tensor, or of a scalar as one element.
  Term get(mlir::Value value) const { return terms.lookup(value); }
  void set(mlir::Value value, Term term);
  /// Structured ops whose assertions hold in the pieces that replace them.
  const llvm::DenseSet<mlir::Operation *> &getAsserting() const {
    return asserting;
  }
  void addAsserting(mlir::Operation *op) { asserting.insert(op); }

  Graph &graph;

private:
  void importArguments(mlir::FunctionOpInterface function);
  void importOperation(mlir::Operation *op);
  Term importElementwise(mlir::Operation *op);
  Term importDropout(block::DropoutOp op);
  bool addRoles(Node &node,
                llvm::ArrayRef<std::pair<llvm::StringRef, mlir::Value>> values);
  bool importRoute(block::RouteOp op);
  Term importExperts(block::ExpertsOp op);
  void importLeaves(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, Term> terms;
  llvm::DenseSet<mlir::Operation *> asserting;
};

/// Each reads an operation, or gives a null term where it is not understood.
Term importConstant(Graph &graph, mlir::Operation *op);
/// An `arith` or `math` operation on terms of one size.
Term importScalar(Graph &graph, mlir::Operation *op,
                  llvm::ArrayRef<Term> operands);
Term importTensor(Importer &importer, mlir::Operation *op);
Term importTosa(Importer &importer, mlir::Operation *op);
/// Sets the terms of all results; false where one is not understood.
bool importLinalg(Importer &importer, mlir::linalg::LinalgOp op);
Term importSoftmax(Importer &importer, mlir::linalg::SoftmaxOp softmax);

/// Returns whether elements of all operands and results of `op` are integers or
/// floats of 16, 32 or 64 bits; other roundings are not supported.
bool hasKnownElements(mlir::Operation *op);

Term readSlice(Graph &graph, const Term &source, llvm::ArrayRef<int64_t> shape,
               llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes,
               llvm::ArrayRef<int64_t> strides);
Term concatenate(Importer &importer, mlir::ValueRange parts, int64_t axis);
/// Elements of a table at coordinates that are terms of one size.
Term readElements(Graph &graph, const Term &table,
                  llvm::ArrayRef<int64_t> shape,
                  llvm::ArrayRef<Term> coordinates);

/// Returns `x` for `min(max(x, 0), last)`, since accesses are within bounds.
mlir::Value stripBounds(mlir::Value index, int64_t last);

/// Row-major strides of a shape.
llvm::SmallVector<int64_t> getPlaces(llvm::ArrayRef<int64_t> shape);
/// Returns the transposition of a tensor: dimension `d` of the result is
/// dimension `permutation[d]` of the operand.
Layout getTransposition(llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> permutation);
/// The layout that gives `numbers` over `shape`, if there is one.
std::optional<Layout> fitLayout(llvm::ArrayRef<double> numbers,
                                llvm::ArrayRef<int64_t> shape);
/// The layout that numbers of a constant are, read as positions.
std::optional<Layout> getIndexLayout(const Term &index);
/// A rounding where the type has 16 bits, else nothing.
Term roundToType(Graph &graph, Term term, mlir::Type type);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_IMPORTER_H
