//===- TensorFile.cpp - looks up and converts tensors ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Execution/TensorFile.h"

#include "ExpertTensors.h"
#include "parablock/Support/ExactIntegers.h"
#include "parablock/Support/TensorPart.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

Expected<TensorFile> TensorFile::open(StringRef path) {
  Expected<SafeTensorsFile> file = SafeTensorsFile::open(path);
  if (!file)
    return file.takeError();
  return TensorFile(std::move(*file));
}

/// Returns the name without its first part; empty if there is no other. The
/// name of a gradient is kept.
static StringRef dropFirstPart(StringRef name) {
  auto [first, rest] = name.split('.');
  return first == "packed" || first == "grad" ? StringRef() : rest;
}

TensorFile::TensorFile(SafeTensorsFile opened) : file(std::move(opened)) {
  for (const SafeTensorsEntry &entry : file.entries()) {
    StringRef rest = dropFirstPart(entry.name);
    if (rest.empty())
      continue;
    auto [known, isNew] = longerKeys.try_emplace(rest, &entry);
    if (!isNew)
      known->second = nullptr;
  }
}

TensorFile::TensorFile(TensorFile &&) = default;
TensorFile &TensorFile::operator=(TensorFile &&) = default;
TensorFile::~TensorFile() = default;

const SafeTensorsEntry *TensorFile::lookupStored(StringRef name) const {
  for (StringRef spelling : listSpellings(name)) {
    if (const SafeTensorsEntry *entry = file.lookup(spelling))
      return entry;
    StringRef rest = dropFirstPart(spelling);
    if (const SafeTensorsEntry *entry =
            rest.empty() ? nullptr : file.lookup(rest))
      return entry;
    if (const SafeTensorsEntry *entry = longerKeys.lookup(spelling))
      return entry;
  }
  return nullptr;
}

const SafeTensorsEntry *TensorFile::lookup(StringRef name,
                                           int64_t experts) const {
  if (const SafeTensorsEntry *entry = lookupStored(name))
    return entry;
  auto [known, isNew] = stacks.try_emplace(name);
  if (isNew) {
    auto stack =
        stackExperts(name, std::max<int64_t>(experts, 0),
                     [&](StringRef part) { return lookupStored(part); });
    if (stack)
      known->second = std::move(*stack);
    else
      stackErrors[name] = llvm::toString(stack.takeError());
  }
  return known->second ? &known->second->entry : nullptr;
}

static Error makeError(StringRef path, const SafeTensorsEntry &entry,
                       const Twine &message) {
  return llvm::createStringError(path + ": tensor '" + entry.name +
                                 "': " + message);
}

bool TensorFile::isStack(const SafeTensorsEntry *entry) const {
  if (!entry)
    return false;
  auto stack = stacks.find(entry->name);
  return stack != stacks.end() && stack->second &&
         &stack->second->entry == entry;
}

ArrayRef<std::string> TensorFile::listParts(StringRef name) const {
  auto stack = stacks.find(name);
  if (stack == stacks.end() || !stack->second)
    return {};
  return stack->second->parts;
}

Expected<const SafeTensorsEntry *> TensorFile::find(const Port &argument,
                                                    ArrayRef<int64_t> shape) {
  const SafeTensorsEntry *named =
      lookup(argument.name, shape.empty() ? 0 : shape.front());
  if (std::string error = stackErrors.lookup(argument.name); !error.empty())
    return llvm::createStringError(path() + ": " + error);
  Expected<const SafeTensorsEntry *> found = named;
  if (!isStack(named))
    found = file.require(named ? named->name : argument.name, shape);
  else if (ArrayRef<int64_t>(named->shape) != shape)
    return makeError(path(), *named,
                     "expected experts that make " + formatShape(shape) +
                         ", got " + formatShape(named->shape));
  if (!found)
    return found.takeError();
  ElementType type = (*found)->type;
  // Bits of floats are codes, whose type is i8.
  bool areBits = (*found)->areBits();
  bool isOther = isFloatType(type) != isFloatType(argument.type);
  if (isOther || (areBits && argument.type != ElementType::I8))
    return makeError(
        path(), **found,
        "expected " +
            Twine(isFloatType(argument.type) ? "floats" : "integers") + " (" +
            getElementTypeKeyword(argument.type) + "), got " +
            (areBits ? StringRef((*found)->word)
                     : getElementTypeKeyword(type)));
  if (Error error = checkExactAsDoubles(
          path() + ": tensor '" + (*found)->name + "'", type, (*found)->bytes))
    return error;
  return found;
}

Expected<Tensor> TensorFile::convert(const SafeTensorsEntry &entry,
                                     const Port &argument,
                                     ArrayRef<int64_t> shape,
                                     std::vector<double> values) {
  bool isNew = usedNames.insert(entry.name).second;
  if (isStack(&entry))
    for (StringRef part : stacks.find(entry.name)->second->parts)
      usedNames.insert(part);
  if (entry.name != argument.name && isNew && numOtherKeys++ == 0)
    firstOtherKey =
        (Twine("'") + argument.name + "' in '" + entry.name + "'").str();
  if (entry.type != argument.type) {
    std::vector<double> stored;
    // Codes are bits, for which files have bytes without a sign.
    bool areBits =
        entry.type == ElementType::U8 && argument.type == ElementType::I8;
    if (areBits)
      for (double &value : values)
        value = value > 127 ? value - 256 : value;
    if (!isFloatType(entry.type))
      stored = values;
    roundTo(argument.type, values);
    for (auto [before, after] : llvm::zip(stored, values))
      if (before != after)
        return makeError(
            path(), entry,
            "expected integers that " + getElementTypeKeyword(argument.type) +
                " can hold, got " + Twine(static_cast<int64_t>(before)));
    // A tensor that is read again is still one.
    auto &[count, first] = conversions[{entry.type, argument.type}];
    if (isNew && count++ == 0)
      first = entry.name;
  }

  Tensor tensor;
  tensor.type = argument.type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.values =
      std::make_shared<const std::vector<double>>(std::move(values));
  return tensor;
}

Expected<Tensor> TensorFile::load(const Port &argument,
                                  ArrayRef<int64_t> shape) {
  Expected<const SafeTensorsEntry *> entry = find(argument, shape);
  if (!entry)
    return entry.takeError();
  return convert(**entry, argument, shape, (*entry)->decode());
}

Expected<Tensor> TensorFile::loadPart(const Port &argument,
                                      ArrayRef<int64_t> shape,
                                      ArrayRef<int64_t> offsets) {
  Expected<const SafeTensorsEntry *> entry = find(argument, shape);
  if (!entry)
    return entry.takeError();
  Expected<Tensor> part =
      convert(**entry, argument, argument.shape,
              decodePart(**entry, {offsets, argument.shape}));
  releasePages();
  return part;
}

std::vector<StringRef> TensorFile::findUnused() const {
  std::vector<StringRef> unused;
  for (const SafeTensorsEntry &entry : file.entries())
    if (!usedNames.contains(entry.name))
      unused.push_back(entry.name);
  return unused;
}

/// Returns the first names of a list in quotes, and the number of further ones.
static std::string listFirst(ArrayRef<StringRef> names) {
  constexpr size_t most = 4;
  if (names.empty())
    return "none";
  std::string text = "'" + llvm::join(names.take_front(most), "', '") + "'";
  if (names.size() > most)
    text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

Error TensorFile::checkUsed(StringRef flag,
                            ArrayRef<StringRef> arguments) const {
  if (!usedNames.empty())
    return Error::success();
  return llvm::createStringError(
      path() + ": " + flag + " expects tensors named as what the function " +
      "takes, got " + listFirst(findUnused()) + "; the function takes " +
      listFirst(arguments));
}

void TensorFile::printRemarks(llvm::raw_ostream &os) const {
  auto plural = [](unsigned count) { return count == 1 ? "" : "s"; };
  for (const auto &[types, what] : conversions)
    os << "remark: " << path() << ": converted " << what.first << " tensor"
       << plural(what.first) << " from " << getElementTypeKeyword(types.first)
       << " to " << getElementTypeKeyword(types.second) << ", first '"
       << what.second << "'\n";
  if (numOtherKeys)
    os << "remark: " << path() << ": found " << numOtherKeys << " tensor"
       << plural(numOtherKeys) << " under keys with another beginning, first "
       << firstOtherKey << "\n";
  if (std::vector<StringRef> unused = findUnused(); !unused.empty())
    os << "remark: " << path() << ": " << unused.size() << " tensor"
       << plural(unused.size()) << " not used, first '" << unused.front()
       << "'\n";
}
