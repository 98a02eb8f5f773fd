//===- Signature.cpp - describes arguments and results in C structs -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Execution/Signature.h"

#include "Handles.h"
#include "parablock/Execution/CacheLimits.h"
#include "parablock/Execution/ModuleLoading.h"
#include <deque>

using namespace parablock;

namespace {
/// A port in the form of C, with the storage of its pointers.
struct Entry {
  std::string name, type;
  std::vector<int64_t> shape;
  std::vector<std::string> dims;
  std::vector<const char *> dimPointers;
  ParablockTensorInfo info;
};
} // namespace

struct ParablockSignature {
  std::string function;
  std::deque<Entry> inputs, parameters, outputs;
  int64_t mostPositions = -1, pageWindow = -1;
};

static Entry &addEntry(std::deque<Entry> &list, const runner::Port &port) {
  Entry &entry = list.emplace_back();
  entry.name = port.name;
  entry.type = getElementTypeKeyword(port.type).str();
  for (int64_t size : port.shape)
    entry.shape.push_back(mlir::ShapedType::isDynamic(size) ? -1 : size);
  entry.info = {entry.name.c_str(),        entry.type.c_str(),
                getElementSize(port.type), entry.shape.size(),
                entry.shape.data(),        nullptr};
  return entry;
}

static void addArgument(std::deque<Entry> &list,
                        const runner::Argument &argument) {
  Entry &entry = addEntry(list, argument);
  entry.dims.assign(argument.dims.begin(), argument.dims.end());
  for (const std::string &dim : entry.dims)
    entry.dimPointers.push_back(dim.c_str());
  entry.info.dims = entry.dimPointers.data();
}

ParablockStatus parablockModuleGetSignature(ParablockModule *module,
                                            const char *function,
                                            ParablockSignature **signature) {
  return capi::run(module, {function, signature}, [&]() -> llvm::Error {
    llvm::Expected<mlir::func::FuncOp> found =
        runner::findFunction(*module->module, function, "the module");
    if (!found)
      return found.takeError();
    llvm::Expected<runner::Signature> read = runner::readSignature(*found);
    if (!read)
      return read.takeError();
    auto result = std::make_unique<ParablockSignature>();
    result->function = found->getSymName().str();
    for (const runner::Argument &argument : read->arguments)
      addArgument(argument.isParameter ? result->parameters : result->inputs,
                  argument);
    for (const runner::Port &port : read->results)
      addEntry(result->outputs, port);
    if (std::optional<runner::CacheLimits> caches =
            runner::collectCacheLimits(*read)) {
      result->mostPositions = caches->positions.value_or(-1);
      result->pageWindow = caches->findTableWindow().value_or(-1);
    }
    *signature = result.release();
    return llvm::Error::success();
  });
}

void parablockSignatureDestroy(ParablockSignature *signature) {
  delete signature;
}

const char *parablockSignatureGetFunction(const ParablockSignature *signature) {
  return signature ? signature->function.c_str() : nullptr;
}

size_t parablockSignatureGetNumInputs(const ParablockSignature *signature) {
  return signature ? signature->inputs.size() : 0;
}

size_t parablockSignatureGetNumParameters(const ParablockSignature *signature) {
  return signature ? signature->parameters.size() : 0;
}

size_t parablockSignatureGetNumOutputs(const ParablockSignature *signature) {
  return signature ? signature->outputs.size() : 0;
}

int64_t
parablockSignatureGetMostPositions(const ParablockSignature *signature) {
  return signature ? signature->mostPositions : -1;
}

int64_t parablockSignatureGetPageWindow(const ParablockSignature *signature) {
  return signature ? signature->pageWindow : -1;
}

static const ParablockTensorInfo *getInfo(const std::deque<Entry> &list,
                                          size_t index) {
  return index < list.size() ? &list[index].info : nullptr;
}

const ParablockTensorInfo *
parablockSignatureGetInput(const ParablockSignature *signature, size_t index) {
  return signature ? getInfo(signature->inputs, index) : nullptr;
}

const ParablockTensorInfo *
parablockSignatureGetParameter(const ParablockSignature *signature,
                               size_t index) {
  return signature ? getInfo(signature->parameters, index) : nullptr;
}

const ParablockTensorInfo *
parablockSignatureGetOutput(const ParablockSignature *signature, size_t index) {
  return signature ? getInfo(signature->outputs, index) : nullptr;
}
