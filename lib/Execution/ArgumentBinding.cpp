//===- ArgumentBinding.cpp - parses --dims and resolves sizes -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Execution/ArgumentBinding.h"
#include "parablock/Support/SafeTensors.h"
#include <limits>
#include <unistd.h>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

Expected<DimSizes> runner::parseDimSizes(StringRef text) {
  DimSizes result;
  llvm::SmallVector<StringRef> items;
  text.split(items, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef item : items) {
    auto [name, number] = item.split('=');
    int64_t size = 0;
    if (name.empty() || number.getAsInteger(10, size) || size < 1)
      return llvm::createStringError(
          "--dims: expected NAME=SIZE with a size of at least 1, got '" + item +
          "'");
    for (const auto &[known, value] : result)
      if (known == name)
        return llvm::createStringError("--dims: '" + name + "' is given twice");
    result.emplace_back(name.str(), size);
  }
  return result;
}

DimensionBinding::DimensionBinding(const DimSizes &given) {
  for (const auto &[name, size] : given)
    sizes.try_emplace(name, Size{size, "--dims"});
}

const DimensionBinding::Size *DimensionBinding::findNamed(StringRef name) {
  auto found = sizes.find(name);
  if (found == sizes.end())
    return nullptr;
  usedNames.insert(name);
  return &found->second;
}

const DimensionBinding::Size *DimensionBinding::find(const Argument &argument,
                                                     unsigned dim) {
  const Size *size = findNamed(argument.dims[dim]);
  if (!size && !argument.hasNamedDims)
    size = findNamed(("d" + Twine(dim)).str());
  return size;
}

Error DimensionBinding::bind(const Argument &argument, ArrayRef<int64_t> shape,
                             StringRef origin) {
  if (shape.size() != argument.shape.size())
    return llvm::createStringError(
        origin + ": tensor '" + argument.name + "': expected shape " +
        formatDims(argument.shape) + ", got " + formatDims(shape));
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (argument.dims[dim].empty()) {
      if (size != argument.shape[dim])
        return llvm::createStringError(
            origin + ": tensor '" + argument.name + "': expected shape " +
            formatDims(argument.shape) + ", got " + formatDims(shape));
      continue;
    }
    const Size *known = find(argument, dim);
    if (!known)
      sizes.try_emplace(
          argument.dims[dim],
          Size{size, (origin + " ('" + argument.name + "')").str()});
    else if (known->value != size)
      return llvm::createStringError(origin + ": tensor '" + argument.name +
                                     "': expected dimension " + Twine(dim) +
                                     " ('" + argument.dims[dim] + "') to be " +
                                     Twine(known->value) + " as in " +
                                     known->origin + ", got " + Twine(size));
  }
  return Error::success();
}

Expected<Shape> DimensionBinding::resolve(const Argument &argument) {
  Shape shape(argument.shape.begin(), argument.shape.end());
  for (auto [dim, name] : llvm::enumerate(argument.dims)) {
    if (name.empty())
      continue;
    const Size *size = find(argument, dim);
    // An encoder's sequence defaults to the decoder's length.
    if (!size && llvm::StringRef(name) == "encoder_seq")
      size = findNamed("seq");
    if (!size)
      return llvm::createStringError(
          "argument '" + argument.name + "': dimension " + Twine(dim) + " ('" +
          name + "') has no size; give one with --dims=" + name +
          "=SIZE or with --inputs");
    shape[dim] = size->value;
  }
  return shape;
}

/// Bytes of memory of this machine.
static uint64_t getMemorySize() {
  long pages = sysconf(_SC_PHYS_PAGES), pageSize = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || pageSize <= 0)
    return std::numeric_limits<uint64_t>::max();
  return static_cast<uint64_t>(pages) * static_cast<uint64_t>(pageSize);
}

Expected<std::vector<Shape>>
DimensionBinding::resolve(const Signature &signature, bool isHeld) {
  std::vector<Shape> shapes;
  uint64_t available = getMemorySize();
  for (const Argument &argument : signature.arguments) {
    Expected<Shape> shape = resolve(argument);
    if (!shape)
      return shape.takeError();
    // Every value is held as float64, for any type.
    std::optional<uint64_t> bytes = countBytes(ElementType::F64, *shape);
    if (isHeld && (!bytes || *bytes > available))
      return llvm::createStringError(
          "argument '" + argument.name + "': shape " + formatDims(*shape) +
          " is more than what is left of this machine's memory");
    if (isHeld)
      available -= *bytes;
    shapes.push_back(std::move(*shape));
  }
  return shapes;
}
