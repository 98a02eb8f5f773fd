//===- ArgumentSupply.h - values for every argument by name -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_ARGUMENTSUPPLY_H
#define PARABLOCK_RUNNER_ARGUMENTSUPPLY_H

#include "parablock/Dialect/Block/RankFunction.h"
#include "parablock/Judges/Runner/InputFacts.h"
#include "parablock/Judges/Runner/TensorFile.h"

namespace parablock::runner {

/// A function whose arguments have sizes.
struct BoundFunction {
  Signature signature;
  std::vector<Shape> shapes;
};

/// Gives arguments their values: from files, else from the seed. Functions that
/// are compared (a rewritten one and its original, `@prepack`) share one supply
/// and so, by name, their values.
class ArgumentSupply {
public:
  /// The files may be null. With a weights file, every parameter that has a
  /// name must be in it, or among the inputs.
  ArgumentSupply(TensorFile *inputs, TensorFile *weights, const DimSizes &dims,
                 uint64_t seed)
      : inputs(inputs), weights(weights), givenDims(dims), seed(seed) {}

  /// Finds the sizes of `function`: from --dims, the files and the functions
  /// that were bound before, by name. What its uses say of its inputs is noted
  /// for drawing; where functions disagree, the first one that knows counts.
  /// Memory has to be large enough for all arguments, unless they are not going
  /// to be held.
  llvm::Expected<BoundFunction> bind(mlir::func::FuncOp function,
                                     bool isHeld = true);

  /// A size of --dims that no function bound so far has a name for.
  llvm::Error checkDimsUsed() const;

  /// An argument of that name is a part of a parameter.
  void addPart(const ParameterPart &part) { parts[part.name] = part; }
  /// The parameter that an argument of that name is, or is a part of.
  llvm::StringRef getParameter(llvm::StringRef argument) const {
    auto part = parts.find(argument);
    return part == parts.end() ? argument : part->second.parameter;
  }

  /// The value of an argument of that name, instead of those of files and seed.
  void add(llvm::StringRef name, Tensor value);

  /// Values for all arguments, in order.
  llvm::Expected<std::vector<Tensor>> provide(const BoundFunction &function);

  const InputFacts &facts() const { return inputFacts; }

  /// The names of the parameters, or of the inputs, that came from the seed.
  const llvm::StringSet<> &getDrawn(bool isParameter) const {
    return isParameter ? drawnParameters : drawnInputs;
  }

private:
  /// Where the value comes from; null: from the seed.
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

#endif // PARABLOCK_RUNNER_ARGUMENTSUPPLY_H
