//===- TensorMemory.cpp - copies tensors to and from raw memory -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TensorMemory.h"

#include "parablock/Support/ExactIntegers.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

Error TensorMemory::add(const CpuTensor *tensor, const cpu::Symbols &symbols) {
  sizes.push_back(tensor ? tensor->getBytes(symbols) : 0);
  bytes += sizes.back();
  if (!memories.emplace_back().reserve(sizes.back()))
    return llvm::createStringError("no memory for tensor '" + tensor->name +
                                   "'");
  return Error::success();
}

Error TensorMemory::add(const CpuTensor *tensor, const Tensor &values,
                        const cpu::Symbols &symbols) {
  if (Error error = add(tensor, symbols))
    return error;
  if (tensor)
    encodeElements(tensor->type, values.data(), get(size() - 1));
  return Error::success();
}

Expected<std::vector<void *>>
parablock::addResults(TensorMemory &memory, const CpuExecutable &executable,
                      const cpu::Symbols &symbols, unsigned count) {
  std::vector<void *> results;
  for (unsigned position = 0; position < count; ++position) {
    if (Error error = memory.add(executable.findResult(position), symbols))
      return error;
    results.push_back(memory.get(position).data());
  }
  return results;
}

Expected<std::vector<Tensor>>
parablock::readResults(TensorMemory &memory, const CpuExecutable &executable,
                       const cpu::Symbols &symbols) {
  std::vector<Tensor> results;
  for (unsigned position = 0; position < memory.size(); ++position) {
    const CpuTensor &source = *executable.findResult(position);
    Tensor &result = results.emplace_back();
    result.type = source.type;
    llvm::append_range(result.shape, source.getShape(symbols));
    if (Error error = checkExactAsDoubles("result " + llvm::Twine(position),
                                          source.type, memory.get(position)))
      return error;
    std::vector<double> values(memory.get(position).size() /
                               getElementSize(source.type));
    decodeElements(source.type, memory.get(position), values);
    result.values =
        std::make_shared<const std::vector<double>>(std::move(values));
  }
  return results;
}

Expected<cpu::Symbols> parablock::findSymbols(const CpuExecutable &executable,
                                              ArrayRef<Tensor> arguments) {
  std::vector<CpuShape> shapes;
  for (const Tensor &argument : arguments)
    shapes.emplace_back(argument.shape.begin(), argument.shape.end());
  return executable.findSymbols(shapes);
}
