//===- TensorFile.cpp - arguments from a safetensors file -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Runner/TensorFile.h"
#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

Expected<TensorFile> TensorFile::open(StringRef path) {
  Expected<SafeTensorsFile> file = SafeTensorsFile::open(path);
  if (!file)
    return file.takeError();
  return TensorFile(std::move(*file));
}

Expected<Tensor> TensorFile::load(const Port &argument,
                                  ArrayRef<int64_t> shape) {
  Expected<const SafeTensorsEntry *> found = file.require(argument.name, shape);
  if (!found)
    return found.takeError();
  const SafeTensorsEntry &entry = **found;
  auto fail = [&](const Twine &message) {
    return llvm::createStringError(path() + ": tensor '" + argument.name +
                                   "': " + message);
  };
  if (isFloatType(entry.type) != isFloatType(argument.type))
    return fail("expected " +
                Twine(isFloatType(argument.type) ? "floats" : "integers") +
                " (" + getElementTypeKeyword(argument.type) + "), got " +
                getElementTypeKeyword(entry.type));

  std::vector<double> values = entry.decode();
  bool isNew = usedNames.insert(argument.name).second;
  if (entry.type != argument.type) {
    std::vector<double> stored;
    if (!isFloatType(entry.type))
      stored = values;
    roundTo(argument.type, values);
    for (auto [before, after] : llvm::zip(stored, values))
      if (before != after)
        return fail("expected integers that " +
                    getElementTypeKeyword(argument.type) + " can hold, got " +
                    Twine(static_cast<int64_t>(before)));
    // A tensor that is read again is still one.
    auto &[count, first] = conversions[{entry.type, argument.type}];
    if (isNew && count++ == 0)
      first = argument.name;
  }

  Tensor tensor;
  tensor.type = argument.type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.values =
      std::make_shared<const std::vector<double>>(std::move(values));
  return tensor;
}

void TensorFile::printRemarks(llvm::raw_ostream &os) const {
  auto plural = [](unsigned count) { return count == 1 ? "" : "s"; };
  for (const auto &[types, what] : conversions)
    os << "remark: " << path() << ": converted " << what.first << " tensor"
       << plural(what.first) << " from " << getElementTypeKeyword(types.first)
       << " to " << getElementTypeKeyword(types.second) << ", first '"
       << what.second << "'\n";
  unsigned numUnused = 0;
  StringRef firstUnused;
  for (const SafeTensorsEntry &entry : file.entries())
    if (!usedNames.contains(entry.name) && numUnused++ == 0)
      firstUnused = entry.name;
  if (numUnused)
    os << "remark: " << path() << ": " << numUnused << " tensor"
       << plural(numUnused) << " not used, first '" << firstUnused << "'\n";
}
