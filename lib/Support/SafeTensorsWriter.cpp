//===- SafeTensorsWriter.cpp - Writing safetensors files ------------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Files/TensorLayout.h"
#include "parablock/Support/SafeTensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include <tuple>

using namespace parablock;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static Error makeError(StringRef path, StringRef name, const Twine &message) {
  return llvm::createStringError(path + ": tensor '" + name + "': " + message);
}

/// Sorts into file order and validates the declarations.
static Error prepare(StringRef path, std::vector<TensorDeclaration> &tensors) {
  llvm::sort(tensors,
             [](const TensorDeclaration &a, const TensorDeclaration &b) {
               unsigned sizeA = getElementSize(a.type);
               unsigned sizeB = getElementSize(b.type);
               return std::tie(sizeB, a.name) < std::tie(sizeA, b.name);
             });
  llvm::StringSet<> names;
  for (const TensorDeclaration &tensor : tensors) {
    if (!names.insert(tensor.name).second)
      return makeError(path, tensor.name, "is declared twice");
    if (tensor.name == "__metadata__")
      return makeError(path, tensor.name, "this name is the format's own");
    if (!llvm::json::isUTF8(tensor.name))
      return makeError(path, llvm::json::fixUTF8(tensor.name),
                       "expected a name in UTF-8");
    if (!countBytes(tensor.type, tensor.shape))
      return makeError(path, tensor.name,
                       "expected a size that 64 bits can count, got shape " +
                           formatShape(tensor.shape));
  }
  return Error::success();
}

static std::string makeHeader(ArrayRef<TensorDeclaration> tensors,
                              const SafeTensorsMetadata &metadata) {
  std::vector<files::TensorPlace> places;
  for (const TensorDeclaration &tensor : tensors)
    places.push_back({tensor.name,
                      getElementTypeName(tensor.type).str(),
                      {tensor.shape.begin(), tensor.shape.end()}});
  SafeTensorsMetadata words;
  for (const auto &[key, value] : metadata)
    words[llvm::json::fixUTF8(key)] = llvm::json::fixUTF8(value);
  return files::makeTensorHeader(places, words);
}

Expected<std::unique_ptr<SafeTensorsWriter>>
SafeTensorsWriter::create(StringRef path,
                          std::vector<TensorDeclaration> declarations,
                          const SafeTensorsMetadata &metadata) {
  if (Error error = prepare(path, declarations))
    return error;
  Expected<std::unique_ptr<AtomicOutput>> output = AtomicOutput::create(path);
  if (!output)
    return output.takeError();
  std::unique_ptr<SafeTensorsWriter> writer(new SafeTensorsWriter());
  writer->output = std::move(*output);
  writer->tensors = std::move(declarations);
  writer->output->os() << makeHeader(writer->tensors, metadata);
  return writer;
}

void SafeTensorsWriter::skipCompleteTensors(StringRef upTo) {
  while (current < tensors.size()) {
    const TensorDeclaration &tensor = tensors[current];
    if ((!upTo.empty() && tensor.name == upTo) ||
        currentWritten != *countBytes(tensor.type, tensor.shape))
      return;
    ++current;
    currentWritten = 0;
  }
}

Error SafeTensorsWriter::append(StringRef name, ArrayRef<uint8_t> bytes) {
  skipCompleteTensors(name);
  if (current == tensors.size())
    return makeError(output->path(), name,
                     "expected no more data, every tensor is complete");
  const TensorDeclaration &tensor = tensors[current];
  if (tensor.name != name)
    return makeError(output->path(), name,
                     "expected data of tensor '" + tensor.name + "'");
  uint64_t size = *countBytes(tensor.type, tensor.shape);
  if (bytes.size() > size - currentWritten)
    return makeError(output->path(), name,
                     "expected " + Twine(size) + " bytes for " +
                         getElementTypeName(tensor.type) + " " +
                         formatShape(tensor.shape) + ", got at least " +
                         Twine(currentWritten + bytes.size()));
  output->os() << llvm::toStringRef(bytes);
  currentWritten += bytes.size();
  return Error::success();
}

Error SafeTensorsWriter::appendValues(StringRef name, ArrayRef<double> values) {
  skipCompleteTensors(name);
  ElementType type =
      current < tensors.size() ? tensors[current].type : ElementType::F64;
  constexpr size_t chunkLength = 1 << 16;
  std::vector<uint8_t> bytes;
  do { // at least once, so that an empty tensor's name is checked too
    ArrayRef<double> chunk = values.take_front(chunkLength);
    values = values.drop_front(chunk.size());
    bytes.resize(chunk.size() * getElementSize(type));
    encodeElements(type, chunk, bytes);
    if (Error error = append(name, bytes))
      return error;
  } while (!values.empty());
  return Error::success();
}

Error SafeTensorsWriter::keep() {
  skipCompleteTensors();
  if (current == tensors.size())
    return output->keep();
  const TensorDeclaration &tensor = tensors[current];
  return makeError(output->path(), tensor.name,
                   "expected " + Twine(*countBytes(tensor.type, tensor.shape)) +
                       " bytes, got " + Twine(currentWritten));
}

Error parablock::writeSafeTensors(StringRef path,
                                  ArrayRef<TensorToWrite> tensors,
                                  const SafeTensorsMetadata &metadata) {
  std::vector<TensorDeclaration> declarations(tensors.begin(), tensors.end());
  llvm::StringMap<ArrayRef<uint8_t>> bytesOfName;
  for (const TensorToWrite &tensor : tensors)
    bytesOfName[tensor.name] = tensor.bytes;
  Expected<std::unique_ptr<SafeTensorsWriter>> writer =
      SafeTensorsWriter::create(path, std::move(declarations), metadata);
  if (!writer)
    return writer.takeError();
  for (const TensorDeclaration &tensor : (*writer)->declarations())
    if (Error error =
            (*writer)->append(tensor.name, bytesOfName.lookup(tensor.name)))
      return error;
  return (*writer)->keep();
}
