//===- Program.cpp - compiles bodies to register code ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "ScalarTables.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Support/RandomRounding.h"

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

void Program::add(Instruction instruction) {
  instruction.mask = branch;
  instructions.push_back(std::move(instruction));
}

LogicalResult Program::addAssertion(Step &step, Operation &op) {
  FailureOr<unsigned> place = getRegister(step, op.getOperand(0));
  if (failed(place))
    return failure();
  Instruction instruction;
  instruction.op = &op;
  instruction.operands = {*place};
  instruction.isAssertion = true;
  add(std::move(instruction));
  return success();
}

LogicalResult Program::runAssertion(const Instruction &instruction,
                                    int64_t count) {
  llvm::ArrayRef<double> truths(registers[instruction.operands[0]]);
  auto fails = [&](int64_t element) {
    return truths[element] == 0 && isTaken(instruction, element);
  };
  if (llvm::none_of(llvm::seq<int64_t>(0, count), fails))
    return success();
  return instruction.op->emitOpError()
         << "does not hold: " << cast<cf::AssertOp>(instruction.op).getMsg();
}

/// The size of a tensor, as a number.
LogicalResult Program::addSize(Step &step, Operation &op) {
  auto dim = cast<tensor::DimOp>(op);
  const Shape &shape = step.get(dim.getSource()).shape;
  std::optional<int64_t> number = dim.getConstantIndex();
  if (!number || *number < 0 || *number >= static_cast<int64_t>(shape.size()))
    return op.emitOpError("expected the number of one of the dimensions");
  places[dim.getResult()] = addRegister(static_cast<double>(shape[*number]));
  return success();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

unsigned Program::addFunction(Operation &op, ScalarFunction function,
                              ArrayRef<unsigned> operands, ElementType type) {
  Instruction instruction;
  instruction.function = function;
  instruction.operands.assign(operands.begin(), operands.end());
  instruction.type = type;
  instruction.rounds = false;
  instruction.op = &op;
  instruction.result = addRegister();
  unsigned result = instruction.result;
  add(std::move(instruction));
  return result;
}

LogicalResult Program::addRegion(Step &step, Region &region, unsigned mask) {
  std::optional<unsigned> outer = std::exchange(branch, mask);
  if (!region.empty())
    for (Operation &inner : region.front().without_terminator())
      if (failed(addOp(step, inner)))
        return failure();
  branch = outer;
  return success();
}

/// Both branches are computed for all elements, and fail only for elements that
/// select them.
LogicalResult Program::addBranch(Step &step, Operation &op) {
  auto choice = cast<scf::IfOp>(op);
  FailureOr<unsigned> truth = getRegister(step, choice.getCondition());
  if (failed(truth))
    return failure();
  unsigned otherwise =
      addFunction(op, exclusion, {*truth, addRegister(1)}, ElementType::Bool);
  unsigned masks[] = {*truth, otherwise};
  for (unsigned &mask : masks)
    if (branch)
      mask = addFunction(op, conjunction, {mask, *branch}, ElementType::Bool);
  if (failed(addRegion(step, choice.getThenRegion(), masks[0])) ||
      failed(addRegion(step, choice.getElseRegion(), masks[1])))
    return failure();
  for (auto [number, result] : llvm::enumerate(choice.getResults())) {
    SmallVector<unsigned> operands = {*truth};
    for (scf::YieldOp yield : {choice.thenYield(), choice.elseYield()}) {
      FailureOr<unsigned> place = getRegister(step, yield.getOperand(number));
      if (failed(place))
        return failure();
      operands.push_back(*place);
    }
    std::optional<ElementType> type = getElementTypeOf(result.getType());
    if (!type || isa<ShapedType>(result.getType()))
      return op.emitOpError() << "has a result of type " << result.getType()
                              << ", which has no values here";
    places[result] = addFunction(op, choose, operands, *type);
  }
  return success();
}

LogicalResult Program::addOp(Step &step, Operation &op) {
  if (isa<cf::AssertOp>(op))
    return addAssertion(step, op);
  if (isa<tensor::DimOp>(op))
    return addSize(step, op);
  if (isa<scf::IfOp>(op))
    return addBranch(step, op);
  // A number that becomes a tensor, and a tensor that becomes a number.
  auto made = dyn_cast<tensor::FromElementsOp>(op);
  auto read = dyn_cast<tensor::ExtractOp>(op);
  if ((made && made.getType().getNumElements() == 1) ||
      (read && read.getIndices().empty() && places.contains(read.getTensor())))
    return shareRegister(step, op);
  // Every number of the narrow type is one of the wide.
  if (isa<arith::ExtFOp>(op))
    return shareRegister(step, op);
  return addInstruction(step, op);
}

LogicalResult Program::shareRegister(Step &step, Operation &op) {
  FailureOr<unsigned> place = getRegister(step, op.getOperand(0));
  if (failed(place))
    return failure();
  places[op.getResult(0)] = *place;
  return success();
}

//===----------------------------------------------------------------------===//
// Compiling and running
//===----------------------------------------------------------------------===//

LogicalResult Program::addInstruction(Step &step, Operation &op) {
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    indices.push_back({static_cast<unsigned>(index.getDim()), addRegister()});
    places[index.getResult()] = indices.back().place;
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    std::optional<double> number = getNumber(constant.getValue());
    if (!number)
      return op.emitOpError("has no number as its value that f64 holds");
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
  add(std::move(instruction));
  return success();
}

/// Returns whether a sum carried from element to element is rounded by its
/// storing op, at the end.
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
    // The storing op rounds a last cast, so this takes its operand's register.
    bool isLast = isa<arith::TruncFOp>(op) && getScalarFunction(&op) &&
                  op.hasOneUse() && *op.user_begin() == body.getTerminator();
    if (failed(isLast ? program.shareRegister(step, op)
                      : program.addOp(step, op)))
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
  // The op that stores the result rounds it.
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
    if (!isTaken(instruction, i))
      continue;
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
    // Elements that are not used have no errors.
    if (instruction.mask)
      for (int64_t i = 0; i < count; ++i)
        if (!isTaken(instruction, i))
          result[i] = 0;
    if (instruction.rounds)
      roundTo(instruction.type, result, step.options.roundingSeed);
    else if (!wrap(instruction.type, result))
      return (instruction.op ? instruction.op : step.op)->emitOpError()
             << "expected a whole number of at most 2^53";
  }
  return success();
}
