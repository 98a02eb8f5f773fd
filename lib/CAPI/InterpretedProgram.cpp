//===- InterpretedProgram.cpp - programs of the interpreting engines ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ProgramEngines.h"
#include "parablock/Execution/Signature.h"
#include "parablock/Support/ExactIntegers.h"

using namespace parablock;
using namespace parablock::capi;
using llvm::Error;
using llvm::Expected;

namespace {
class InterpretedProgram : public ProgramEngine {
public:
  InterpretedProgram(mlir::OwningOpRef<mlir::ModuleOp> module,
                     runner::Signature signature,
                     std::unique_ptr<runner::Engine> engine, unsigned threads,
                     bool isExact)
      : module(std::move(module)), signature(std::move(signature)),
        engine(std::move(engine)), threads(threads), isExact(isExact) {}

  Error setParameters(Arguments arguments) override;
  Expected<Shape> findOutputShape(Arguments arguments,
                                  unsigned output) override;
  Error run(Arguments arguments,
            llvm::ArrayRef<ParablockTensor> outputs) override;

private:
  Error read(unsigned position, const ParablockTensor &tensor);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  runner::Signature signature;
  std::unique_ptr<runner::Engine> engine;
  unsigned threads;
  bool isExact;
  /// Parameters stay, inputs change.
  std::vector<runner::Tensor> values;
};
} // namespace

static uint64_t countElements(const ParablockTensor &tensor) {
  uint64_t count = 1;
  for (int64_t size : llvm::ArrayRef(tensor.shape, tensor.rank))
    count *= size;
  return count;
}

Error InterpretedProgram::read(unsigned position,
                               const ParablockTensor &tensor) {
  const runner::Argument &argument = signature.arguments[position];
  runner::Tensor &value = values[position];
  value.type = argument.type;
  value.shape.assign(tensor.shape, tensor.shape + tensor.rank);
  std::vector<double> numbers(countElements(tensor));
  ElementType given = getCallersType(argument.type, isExact);
  llvm::ArrayRef<uint8_t> bytes(static_cast<const uint8_t *>(tensor.data),
                                numbers.size() * getElementSize(given));
  if (Error error =
          checkExactAsDoubles("argument '" + argument.name + "'", given, bytes))
    return error;
  decodeElements(given, bytes, numbers);
  value.values =
      std::make_shared<const std::vector<double>>(std::move(numbers));
  return Error::success();
}

Error InterpretedProgram::setParameters(Arguments arguments) {
  values.resize(arguments.size());
  for (auto [position, argument] : llvm::enumerate(arguments))
    if (argument)
      if (Error error = read(position, *argument))
        return error;
  return Error::success();
}

Expected<Shape> InterpretedProgram::findOutputShape(Arguments /*arguments*/,
                                                    unsigned output) {
  const runner::Port &port = signature.results[output];
  if (llvm::any_of(port.shape, mlir::ShapedType::isDynamic))
    return llvm::createStringError("output '" + port.name +
                                   "': the engine finds its shape by running");
  return port.shape;
}

Error InterpretedProgram::run(Arguments arguments,
                              llvm::ArrayRef<ParablockTensor> outputs) {
  values.resize(arguments.size());
  for (auto [position, argument] : llvm::enumerate(signature.arguments))
    if (!argument.isParameter)
      if (Error error = read(position, *arguments[position]))
        return error;
  runner::RunOptions options;
  options.threads = threads;
  options.exactArithmetic = isExact;
  Expected<runner::RunResult> result =
      engine->run(signature.function, values, options);
  if (!result)
    return result.takeError();
  for (auto [index, output, value] :
       llvm::enumerate(outputs, result->outputs)) {
    llvm::ArrayRef<int64_t> given(output.shape, output.rank);
    if (given != llvm::ArrayRef<int64_t>(value.shape))
      return llvm::createStringError("output " + llvm::Twine(index) +
                                     ": expected shape " +
                                     runner::formatDims(value.shape) +
                                     ", got " + runner::formatDims(given));
    ElementType wanted = getCallersType(value.type, isExact);
    encodeElements(wanted, value.data(),
                   {static_cast<uint8_t *>(output.data),
                    value.data().size() * getElementSize(wanted)});
  }
  report.engine = engine->name().str();
  report.result = std::move(*result);
  report.result.outputs.clear();
  return Error::success();
}

Expected<std::unique_ptr<ProgramEngine>>
capi::createInterpretedProgram(mlir::func::FuncOp function,
                               std::unique_ptr<runner::Engine> engine,
                               unsigned threads, bool isExact) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      function->getParentOfType<mlir::ModuleOp>().clone();
  Expected<runner::Signature> signature = runner::readSignature(
      module->lookupSymbol<mlir::func::FuncOp>(function.getSymName()));
  if (!signature)
    return signature.takeError();
  return std::make_unique<InterpretedProgram>(
      std::move(module), std::move(*signature), std::move(engine), threads,
      isExact);
}
