//===- ArgumentSupply.h - values of arguments by name -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_ARGUMENTSUPPLY_H
#define PARABLOCK_EXECUTION_ARGUMENTSUPPLY_H

#include "parablock/Execution/InputFacts.h"
#include "parablock/Execution/TensorFile.h"
#include "parablock/Transforms/Shard/RankFunction.h"

namespace parablock::runner {

/// A function with the sizes of its arguments.
struct BoundFunction {
  Signature signature;
  std::vector<Shape> shapes;
};

/// Provides values of arguments: from files, else from the seed. Functions that
/// are compared (a rewritten one and its original, `@prepack`) share one supply
/// and so, by name, their values.
class ArgumentSupply {
public:
  /// The files may be null. With a weights file, every named parameter must be
  /// in it, or among the inputs.
  ArgumentSupply(TensorFile *inputs, TensorFile *weights, const DimSizes &dims,
                 uint64_t seed)
      : inputs(inputs), weights(weights), givenDims(dims), seed(seed) {}

  /// Finds the sizes of `function` by name: from --dims, the files and the
  /// functions bound before. Facts about its inputs that follow from their uses
  /// are recorded for drawing; if functions disagree, the first one wins.
  /// Memory must be large enough for all arguments, unless they will not be
  /// held.
  llvm::Expected<BoundFunction> bind(mlir::func::FuncOp function,
                                     bool isHeld = true);

  /// Fails for a size of --dims whose name no function bound so far has.
  llvm::Error checkDimsUsed() const;

  /// Declares that an argument is a part of a parameter.
  void addPart(const ParameterPart &part) { parts[part.name] = part; }
  /// Returns the parameter that an argument is, or is a part of.
  llvm::StringRef getParameter(llvm::StringRef argument) const {
    auto part = parts.find(argument);
    return part == parts.end() ? argument : part->second.parameter;
  }

  /// Adds the value of an argument, which overrides files and seed.
  void add(llvm::StringRef name, Tensor value);

  /// Values for all arguments, in order.
  llvm::Expected<std::vector<Tensor>> provide(const BoundFunction &function);

  const InputFacts &facts() const { return inputFacts; }

  /// Returns the names of parameters, or of inputs, drawn from the seed.
  const llvm::StringSet<> &getDrawn(bool isParameter) const {
    return isParameter ? drawnParameters : drawnInputs;
  }

private:
  /// Returns the file of the value; null if drawn from the seed.
  TensorFile *findFile(const Argument &argument) const;
  llvm::Expected<Tensor> makeValue(const Argument &argument,
                                   llvm::ArrayRef<int64_t> shape);
  llvm::Expected<Tensor> draw(const Argument &argument,
                              llvm::ArrayRef<int64_t> shape,
                              const InputFact &fact);
  llvm::Expected<Tensor> makePart(const Argument &argument,
                                  const ParameterPart &part);

  TensorFile *inputs, *weights;
  DimSizes givenDims;
  uint64_t seed;
  llvm::StringSet<> usedDims;
  InputFacts inputFacts;
  llvm::StringMap<Shape> boundShapes;
  llvm::StringMap<Tensor> values;
  llvm::StringMap<ParameterPart> parts;
  llvm::StringSet<> drawnParameters, drawnInputs;
};

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_ARGUMENTSUPPLY_H
