//===- Program.h - compiled bodies of structured ops ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A body is compiled once into a list of instructions over rows of numbers, so
// that its ops are looked up once and not for every element.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_PROGRAM_H
#define PARABLOCK_LIB_EVALUATOR_PROGRAM_H

#include "Scalars.h"
#include "Step.h"

namespace parablock::evaluator {

class Program {
public:
  /// Number of elements computed at a time.
  static constexpr int64_t width = 256;

  /// Compiles the body of `step.op`. Its arguments become the first registers,
  /// `index` ops the next ones. `sums` are values accumulated over several
  /// elements, which are not rounded in between.
  static mlir::FailureOr<Program> compile(Step &step, mlir::Block &body);

  /// One op, from its operands.
  static Program ofOp(ScalarFunction function, ElementType type);

  /// Runs it over `count` elements, at most `width`. The caller has filled
  /// `getArgument` and `getIndex`; `getYield` are the results.
  mlir::LogicalResult run(Step &step, int64_t count);

  double *getArgument(unsigned index) { return registers[index].data(); }
  const double *getYield(unsigned index) const {
    return registers[yields[index]].data();
  }
  unsigned getNumYields() const { return yields.size(); }

  struct IndexUse {
    unsigned dim, place;
  };
  /// Returns the body's reads of loop indices.
  llvm::ArrayRef<IndexUse> getIndexUses() const { return indices; }
  double *getIndex(const IndexUse &use) { return registers[use.place].data(); }

private:
  struct Instruction {
    ScalarFunction function;
    /// The tensor, for an element that is read from one instead.
    std::optional<Array> table;
    llvm::SmallVector<unsigned, 3> operands;
    unsigned result;
    ElementType type;
    bool rounds;
    mlir::Operation *op;
    /// Its operand holds, or the run fails.
    bool isAssertion = false;
    /// The elements that select its branch.
    std::optional<unsigned> mask;
  };

  unsigned addRegister(double value = 0);
  mlir::FailureOr<unsigned> getRegister(Step &step, mlir::Value value);
  mlir::LogicalResult addOp(Step &step, mlir::Operation &op);
  mlir::LogicalResult addInstruction(Step &step, mlir::Operation &op);
  mlir::LogicalResult addAssertion(Step &step, mlir::Operation &op);
  mlir::LogicalResult addSize(Step &step, mlir::Operation &op);
  mlir::LogicalResult shareRegister(Step &step, mlir::Operation &op);
  mlir::LogicalResult addBranch(Step &step, mlir::Operation &op);
  mlir::LogicalResult addRegion(Step &step, mlir::Region &region,
                                unsigned mask);
  /// A function of truth values and numbers that are there.
  unsigned addFunction(mlir::Operation &op, ScalarFunction function,
                       llvm::ArrayRef<unsigned> operands, ElementType type);
  void add(Instruction instruction);
  bool isTaken(const Instruction &instruction, int64_t element) const {
    return !instruction.mask || registers[*instruction.mask][element] != 0;
  }
  mlir::LogicalResult runAssertion(const Instruction &instruction,
                                   int64_t count);
  mlir::LogicalResult readTable(const Instruction &instruction, int64_t count);

  std::vector<std::vector<double>> registers;
  std::vector<Instruction> instructions;
  llvm::SmallVector<IndexUse> indices;
  llvm::SmallVector<unsigned> yields;
  llvm::DenseMap<mlir::Value, unsigned> places;
  /// The branch whose ops are being added.
  std::optional<unsigned> branch;
};

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_PROGRAM_H
