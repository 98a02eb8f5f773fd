//===- Apply.cpp - recipes on files ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Recipe/Apply.h"

#include "parablock/Support/SafeTensors.h"
#include "parablock/Support/TensorHash.h"
#include "parablock/Transforms/Recipe/Evaluate.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace parablock;
using namespace parablock::recipe;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// The keys under which packed files of ranks say how they were made, for
/// launchers to compare: the recipe, and what it was applied to.
static constexpr char recipeKey[] = "parablock.recipe";
static constexpr char sourceKey[] = "parablock.source";

namespace {
/// Makes the tensors of one file from those of another.
class Transfer {
public:
  /// Constants come from `recipe`, which may be null.
  Transfer(const SafeTensorsFile &file, const Recipe *recipe,
           llvm::raw_ostream &remarks)
      : file(file), recipe(recipe), remarks(remarks),
        metadata(file.metadata()) {
    metadata.erase(recipeKey);
    metadata.erase(sourceKey);
  }

  /// Says in the new file what it is made from.
  void sign(const Recipe &recipe);

  void add(StringRef name, ExpressionPtr value) {
    declarations.push_back(
        {name.str(), value->type.element, value->type.shape});
    values[name] = std::move(value);
  }

  /// Everything that the values read is in the file. Another float type will do
  /// with `mayRound`.
  Error check(bool mayRound);
  void remarkUnread(llvm::function_ref<bool(StringRef)> isKnown);
  Error write(StringRef path);

private:
  Expected<StoredTensor> load(const Expression &source) const;

  const StoredTensor *lookupConstant(StringRef name) const {
    return recipe ? recipe->lookupConstant(name) : nullptr;
  }

  const SafeTensorsFile &file;
  const Recipe *recipe;
  llvm::raw_ostream &remarks;
  SafeTensorsMetadata metadata;
  std::vector<TensorDeclaration> declarations;
  llvm::StringMap<ExpressionPtr> values;
};
} // namespace

Error Transfer::check(bool mayRound) {
  llvm::MapVector<StringRef, TensorType> read;
  for (const TensorDeclaration &declaration : declarations)
    forEachSource(*values[declaration.name], [&](const Expression &source) {
      if (!lookupConstant(source.source))
        read.insert({source.source, source.type});
    });
  for (const auto &[name, type] : read) {
    Expected<const SafeTensorsEntry *> entry = file.require(name, type.shape);
    if (!entry)
      return entry.takeError();
    ElementType stored = (*entry)->type;
    if (stored == type.element)
      continue;
    StringRef expected = getElementTypeKeyword(type.element);
    StringRef got = getElementTypeKeyword(stored);
    if (!mayRound || !isFloatType(stored) || !isFloatType(type.element))
      return llvm::createStringError(file.path() + ": expected tensor '" +
                                     name + "' to be of type " + expected +
                                     ", got " + got);
    remarks << "remark: " << file.path() << ": tensor '" << name
            << "' is converted from " << got << " to " << expected << "\n";
  }
  return Error::success();
}

void Transfer::remarkUnread(llvm::function_ref<bool(StringRef)> isKnown) {
  for (const SafeTensorsEntry &entry : file.entries())
    if (!isKnown(entry.name))
      remarks << "remark: " << file.path() << ": tensor '" << entry.name
              << "' is not in the recipe and left out\n";
}

Expected<StoredTensor> Transfer::load(const Expression &source) const {
  if (const StoredTensor *constant = lookupConstant(source.source))
    return *constant;
  const SafeTensorsEntry *entry = file.lookup(source.source);
  StoredTensor stored;
  stored.type = {entry->type, entry->shape};
  stored.bytes = entry->bytes;
  return stored.type == source.type ? stored
                                    : convert(stored, source.type.element);
}

void Transfer::sign(const Recipe &recipe) {
  llvm::SmallVector<const SafeTensorsEntry *> sources;
  for (const SourceTensor &source : recipe.sources)
    if (const SafeTensorsEntry *entry = file.lookup(source.name))
      sources.push_back(entry);
  if (!recipe.sha256.empty())
    metadata[recipeKey] = recipe.sha256;
  metadata[sourceKey] =
      llvm::utohexstr(hashTensors(sources, [&] { file.releasePages(); }));
}

/// How many of the elements are no numbers.
static uint64_t countNaNs(const StoredTensor &tensor) {
  ElementType type = tensor.type.element;
  if (!isFloatType(type))
    return 0;
  constexpr size_t chunkLength = 1 << 16;
  std::vector<double> values;
  uint64_t count = 0;
  size_t size = getElementSize(type);
  for (size_t at = 0; at < tensor.bytes.size(); at += chunkLength * size) {
    llvm::ArrayRef<uint8_t> chunk = llvm::ArrayRef<uint8_t>(tensor.bytes)
                                        .drop_front(at)
                                        .take_front(chunkLength * size);
    values.resize(chunk.size() / size);
    decodeElements(type, chunk, values);
    count += llvm::count_if(values, [](double x) { return std::isnan(x); });
  }
  return count;
}

Error Transfer::write(StringRef path) {
  Expected<std::unique_ptr<SafeTensorsWriter>> writer =
      SafeTensorsWriter::create(path, declarations, metadata);
  if (!writer)
    return writer.takeError();
  for (const TensorDeclaration &declaration : (*writer)->declarations()) {
    Expected<StoredTensor> value =
        evaluate(*values[declaration.name],
                 [&](const Expression &source) { return load(source); });
    if (!value)
      return value.takeError();
    if (uint64_t count = countNaNs(*value))
      remarks << "warning: " << file.path() << ": " << count << " elements of '"
              << declaration.name << "' are NaN\n";
    if (Error error = (*writer)->append(declaration.name, value->bytes))
      return error;
    // Else all of the file would count as memory in use in the end.
    file.releasePages();
  }
  return (*writer)->keep();
}

Error recipe::applyRecipe(const Recipe &recipe, StringRef inputPath,
                          StringRef outputPath, llvm::raw_ostream &remarks) {
  Expected<SafeTensorsFile> file = SafeTensorsFile::open(inputPath);
  if (!file)
    return file.takeError();
  Transfer transfer(*file, &recipe, remarks);
  for (const PackedTensor &tensor : recipe.packed)
    transfer.add(tensor.name, tensor.value);
  if (Error error = transfer.check(/*mayRound=*/true))
    return error;
  // Ranks have to know that others took theirs from the same.
  if (recipe.ranks != 1)
    transfer.sign(recipe);
  llvm::StringSet<> known;
  for (const SourceTensor &source : recipe.sources)
    known.insert(source.name);
  transfer.remarkUnread([&](StringRef name) { return known.contains(name); });
  return transfer.write(outputPath);
}

static std::string describeLoss(const SourceTensor &source) {
  std::string name = "'" + source.name + "' cannot be restored: ";
  if (source.lost == "unread")
    return name + "nothing packed reads it";
  if (source.lost == "slice")
    return name + "only parts of it are packed";
  return name + source.lost + " cannot be undone";
}

/// One message for all that is lost; a remark if it is allowed.
static Error reportLosses(const Recipe &recipe, bool allowPartial,
                          llvm::raw_ostream &remarks) {
  std::string text;
  unsigned count = 0;
  for (const SourceTensor &source : recipe.sources) {
    if (source.restore)
      continue;
    ++count;
    if (allowPartial)
      remarks << "remark: tensor " << describeLoss(source) << "\n";
    else
      text += "\n  " + describeLoss(source);
  }
  if (!count || allowPartial)
    return Error::success();
  return llvm::createStringError(
      llvm::Twine(count) + " of " + llvm::Twine(recipe.sources.size()) +
      " tensors cannot be restored (--allow-partial writes the others):" +
      text);
}

Error recipe::undoRecipe(const Recipe &recipe, StringRef inputPath,
                         StringRef outputPath, bool allowPartial,
                         llvm::raw_ostream &remarks) {
  Expected<SafeTensorsFile> file = SafeTensorsFile::open(inputPath);
  if (!file)
    return file.takeError();
  Transfer transfer(*file, nullptr, remarks);
  for (const SourceTensor &source : recipe.sources)
    if (source.restore)
      transfer.add(source.name, source.restore);
  if (Error error = transfer.check(/*mayRound=*/false))
    return error;
  if (Error error = reportLosses(recipe, allowPartial, remarks))
    return error;
  llvm::StringSet<> known;
  for (const PackedTensor &tensor : recipe.packed)
    known.insert(tensor.name);
  transfer.remarkUnread([&](StringRef name) { return known.contains(name); });
  return transfer.write(outputPath);
}
