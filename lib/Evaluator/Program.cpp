//===- Program.cpp - the body of a structured op, compiled ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

unsigned Program::addRegister(double value) {
  registers.emplace_back(width, value);
  return registers.size() - 1;
}

/// A value of the body, or a number from outside it.
FailureOr<unsigned> Program::getRegister(Step &step, Value value) {
  auto found = places.find(value);
  if (found != places.end())
    return found->second;
  if (isa<RankedTensorType>(value.getType()))
    return step.error() << "reads a tensor as a number in its body";
  unsigned place = addRegister(step.get(value).data().front());
  places[value] = place;
  return place;
}

LogicalResult Program::addAssertion(Step &step, Operation &op) {
  FailureOr<unsigned> place = getRegister(step, op.getOperand(0));
  if (failed(place))
    return failure();
  Instruction instruction;
  instruction.op = &op;
  instruction.operands = {*place};
  instruction.isAssertion = true;
  instructions.push_back(std::move(instruction));
  return success();
}

LogicalResult Program::runAssertion(const Instruction &instruction,
                                    int64_t count) {
  llvm::ArrayRef<double> truths(registers[instruction.operands[0]]);
  if (!llvm::is_contained(truths.take_front(count), 0.0))
    return success();
  return instruction.op->emitOpError()
         << "does not hold: " << cast<cf::AssertOp>(instruction.op).getMsg();
}

LogicalResult Program::addInstruction(Step &step, Operation &op) {
  if (isa<cf::AssertOp>(op))
    return addAssertion(step, op);
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    indices.push_back({static_cast<unsigned>(index.getDim()), addRegister()});
    places[index.getResult()] = indices.back().place;
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    std::optional<double> number = getNumber(constant.getValue());
    if (!number)
      return op.emitOpError("has no number as its value");
    places[constant.getResult()] = addRegister(*number);
    return success();
  }
  Instruction instruction;
  instruction.op = &op;
  ValueRange operands = op.getOperands();
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    instruction.table = step.get(extract.getTensor());
    operands = extract.getIndices();
  } else {
    instruction.function = getScalarFunction(&op);
    if (!instruction.function ||
        instruction.function.getArity() != op.getNumOperands())
      return op.emitOpError("is not on the list of ops that can be evaluated "
                            "in the body of a structured op");
  }
  for (Value operand : operands) {
    FailureOr<unsigned> place = getRegister(step, operand);
    if (failed(place))
      return failure();
    instruction.operands.push_back(*place);
  }
  std::optional<ElementType> type = getElementTypeOf(op.getResult(0).getType());
  if (!type)
    return op.emitOpError()
           << "has a result of type " << op.getResult(0).getType()
           << ", which has no values here";
  instruction.type = *type;
  instruction.rounds = isFloatType(*type) && !step.options.exactArithmetic;
  instruction.result = addRegister();
  places[op.getResult(0)] = instruction.result;
  instructions.push_back(std::move(instruction));
  return success();
}

/// A sum that goes from one element into the next is rounded by whoever keeps
/// it, at the end.
static bool isRunningSum(Operation &op, Step &step, Block &body) {
  auto structured = dyn_cast<linalg::LinalgOp>(step.op);
  if (!structured || structured.getNumReductionLoops() == 0 ||
      !isa<arith::AddFOp>(op) || !op.getResult(0).hasOneUse() ||
      *op.getResult(0).user_begin() != body.getTerminator())
    return false;
  return llvm::any_of(op.getOperands(), [&](Value operand) {
    auto argument = dyn_cast<BlockArgument>(operand);
    return argument && argument.getOwner() == &body &&
           argument.getArgNumber() >=
               static_cast<unsigned>(structured.getNumDpsInputs());
  });
}

FailureOr<Program> Program::compile(Step &step, Block &body) {
  Program program;
  for (BlockArgument argument : body.getArguments())
    program.places[argument] = program.addRegister();
  for (Operation &op : body.without_terminator()) {
    if (failed(program.addInstruction(step, op)))
      return failure();
    if (op.getNumResults() == 1 && isRunningSum(op, step, body))
      program.instructions.back().rounds = false;
  }
  for (Value value : body.getTerminator()->getOperands()) {
    FailureOr<unsigned> place = program.getRegister(step, value);
    if (failed(place))
      return failure();
    program.yields.push_back(*place);
  }
  return program;
}

Program Program::ofOp(ScalarFunction function, ElementType type) {
  Program program;
  Instruction instruction;
  for (unsigned i = 0; i < function.getArity(); ++i)
    instruction.operands.push_back(program.addRegister());
  instruction.function = function;
  instruction.type = type;
  // The result as a whole is rounded by who stores it.
  instruction.rounds = false;
  instruction.result = program.addRegister();
  instruction.op = nullptr;
  program.yields.push_back(instruction.result);
  program.instructions.push_back(std::move(instruction));
  return program;
}

LogicalResult Program::readTable(const Instruction &instruction,
                                 int64_t count) {
  const Array &table = *instruction.table;
  double *result = registers[instruction.result].data();
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = 0;
    for (auto [dim, operand] : llvm::enumerate(instruction.operands)) {
      double index = registers[operand][i];
      if (!(index >= 0 && index < static_cast<double>(table.shape[dim])))
        return instruction.op->emitOpError()
               << "expected index " << dim << " to be in [0, "
               << table.shape[dim] << "), got " << static_cast<int64_t>(index);
      place = place * table.shape[dim] + static_cast<int64_t>(index);
    }
    result[i] = table.data()[place];
  }
  return success();
}

LogicalResult Program::run(Step &step, int64_t count) {
  for (const Instruction &instruction : instructions) {
    if (instruction.isAssertion) {
      if (failed(runAssertion(instruction, count)))
        return failure();
      continue;
    }
    if (instruction.table) {
      if (failed(readTable(instruction, count)))
        return failure();
      continue;
    }
    const double *arguments[3];
    for (auto [index, operand] : llvm::enumerate(instruction.operands))
      arguments[index] = registers[operand].data();
    llvm::MutableArrayRef<double> result(registers[instruction.result].data(),
                                         count);
    instruction.function.apply(
        result.data(), llvm::ArrayRef(arguments, instruction.operands.size()),
        count);
    if (instruction.rounds)
      roundTo(instruction.type, result);
    else if (!wrap(instruction.type, result))
      return (instruction.op ? instruction.op : step.op)->emitOpError()
             << "expected a whole number of at most 2^53";
  }
  return success();
}
