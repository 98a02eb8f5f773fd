//===- Constants.cpp - tensors that recipes bring along -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Recipe/Constants.h"

#include "parablock/Support/SafeTensors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace parablock;
using namespace parablock::recipe;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static bool readsConstantsAlone(const Expression &expression,
                                const Recipe &recipe) {
  bool isAlone = true;
  forEachSource(expression, [&](const Expression &source) {
    isAlone &= recipe.lookupConstant(source.source) != nullptr;
  });
  return isAlone;
}

const StoredTensor *Recipe::lookupConstant(StringRef name) const {
  for (const ConstantTensor &constant : constants)
    if (constant.name == name)
      return &constant.value;
  return nullptr;
}

Error recipe::computeConstants(Recipe &recipe) {
  std::vector<ConstantTensor> computed;
  for (PackedTensor &tensor : recipe.packed) {
    if (!readsConstantsAlone(*tensor.value, recipe))
      continue;
    Expected<StoredTensor> value =
        evaluate(*tensor.value, [&](const Expression &source) {
          return Expected<StoredTensor>(*recipe.lookupConstant(source.source));
        });
    if (!value)
      return value.takeError();
    Expression whole;
    whole.source = tensor.name;
    whole.type = tensor.value->type;
    Expected<ExpressionPtr> made = makeExpression(std::move(whole));
    if (!made)
      return made.takeError();
    tensor.value = *made;
    computed.push_back({tensor.name, std::move(*value)});
  }
  llvm::StringSet<> read;
  for (const PackedTensor &tensor : recipe.packed)
    forEachSource(*tensor.value, [&](const Expression &source) {
      read.insert(source.source);
    });
  for (ConstantTensor &constant : recipe.constants)
    if (read.contains(constant.name))
      computed.push_back(std::move(constant));
  recipe.constants = std::move(computed);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::string hashFile(const llvm::MemoryBuffer &buffer) {
  llvm::SHA256 hash;
  hash.update(buffer.getBuffer());
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

static Expected<std::string> hashFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(
        path + ": cannot read it: " + buffer.getError().message());
  return hashFile(**buffer);
}

std::string recipe::getConstantsPath(StringRef recipePath) {
  llvm::SmallString<128> path(recipePath);
  llvm::sys::path::replace_extension(path, "safetensors");
  return path.str().str();
}

Error recipe::writeConstants(Recipe &recipe, StringRef recipePath) {
  if (recipe.constants.empty())
    return Error::success();
  std::string path = getConstantsPath(recipePath);
  if (recipePath == "-" || path == recipePath)
    return llvm::createStringError(
        "expected a file NAME.json for a recipe with constants, which lie "
        "beside it in NAME.safetensors, got '" +
        recipePath + "'");
  std::vector<TensorToWrite> tensors;
  for (const ConstantTensor &constant : recipe.constants) {
    TensorToWrite &tensor = tensors.emplace_back();
    tensor.name = constant.name;
    tensor.type = constant.value.type.element;
    tensor.shape = constant.value.type.shape;
    tensor.bytes = constant.value.bytes;
  }
  if (Error error = writeSafeTensors(path, tensors))
    return error;
  Expected<std::string> hash = hashFile(path);
  if (!hash)
    return hash.takeError();
  recipe.constantsFile = {llvm::sys::path::filename(path).str(), *hash,
                          nullptr};
  return Error::success();
}

Error recipe::readConstants(Recipe &recipe, StringRef recipePath) {
  if (recipe.constants.empty())
    return Error::success();
  ConstantsFile &own = recipe.constantsFile;
  llvm::SmallString<128> path = llvm::sys::path::parent_path(recipePath);
  llvm::sys::path::append(path, own.name);
  Expected<SafeTensorsFile> file = SafeTensorsFile::open(path);
  if (!file)
    return file.takeError();
  Expected<std::string> hash = hashFile(path.str());
  if (!hash)
    return hash.takeError();
  if (*hash != own.sha256)
    return llvm::createStringError(path + ": expected the hash " + own.sha256 +
                                   ", got " + *hash);
  own.open = std::make_shared<SafeTensorsFile>(std::move(*file));
  for (ConstantTensor &constant : recipe.constants) {
    TensorType &type = constant.value.type;
    Expected<const SafeTensorsEntry *> entry =
        own.open->require(constant.name, type.shape);
    if (!entry)
      return entry.takeError();
    if ((*entry)->type != type.element)
      return llvm::createStringError(
          path + ": expected tensor '" + constant.name + "' to be of type " +
          getElementTypeKeyword(type.element) + ", got " +
          getElementTypeKeyword((*entry)->type));
    constant.value.bytes = (*entry)->bytes;
  }
  return Error::success();
}
