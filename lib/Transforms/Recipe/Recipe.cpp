//===- Recipe.cpp - recipe files ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Recipe/Recipe.h"

#include "parablock/Support/StrictJSON.h"
#include "parablock/Transforms/Recipe/Constants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"

using namespace parablock;
using namespace parablock::recipe;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr int64_t schema = 1;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Object declare(StringRef name, const TensorType &type) {
  return json::Object{{"name", name},
                      {"dtype", getElementTypeKeyword(type.element)},
                      {"shape", json::Array(type.shape)}};
}

json::Value recipe::toJSON(const Recipe &recipe) {
  json::Array sources, packed;
  for (const SourceTensor &source : recipe.sources) {
    json::Object entry = declare(source.name, source.type);
    if (source.restore)
      entry["restore"] = toJSON(*source.restore);
    else
      entry["lost"] = source.lost;
    sources.push_back(std::move(entry));
  }
  for (const PackedTensor &tensor : recipe.packed) {
    json::Object entry = declare(tensor.name, tensor.value->type);
    entry["value"] = toJSON(*tensor.value);
    packed.push_back(std::move(entry));
  }
  json::Object root{{"schema", schema},
                    {"sources", std::move(sources)},
                    {"packed", std::move(packed)}};
  if (!recipe.constants.empty()) {
    json::Array constants;
    for (const ConstantTensor &constant : recipe.constants)
      constants.push_back(declare(constant.name, constant.value.type));
    root["constants"] = std::move(constants);
    root["constants_file"] =
        json::Object{{"file", recipe.constantsFile.name},
                     {"sha256", recipe.constantsFile.sha256}};
  }
  if (recipe.ranks != 1)
    root["ranks"] = recipe.ranks;
  return root;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Reads the two lists. Expressions come last, when all types are known.
class Reader {
public:
  Expected<Recipe> read(const json::Object &root);

private:
  struct Entry {
    const json::Object *object;
    std::string name;
    TensorType type;
  };
  struct Section {
    std::vector<Entry> entries;
    llvm::StringMap<TensorType> types;

    std::optional<TensorType> lookup(StringRef name) const {
      auto found = types.find(name);
      return found == types.end() ? std::nullopt : std::optional(found->second);
    }
  };

  Error readConstants(const json::Object &root, const Section &sources,
                      Recipe &recipe);
  static Expected<Section> readSection(const json::Object &root, StringRef key);
  static Expected<ExpressionPtr> readValue(const Entry &entry, StringRef key,
                                           const Section &from);
};
} // namespace

Expected<Reader::Section> Reader::readSection(const json::Object &root,
                                              StringRef key) {
  const json::Array *array = root.getArray(key);
  if (!array)
    return createStringError("expected '" + key + "' to be an array");
  Section section;
  for (const auto &[index, value] : llvm::enumerate(*array)) {
    Entry entry{value.getAsObject(), "", {}};
    std::optional<StringRef> name;
    if (entry.object)
      name = entry.object->getString("name");
    if (!name || name->empty())
      return createStringError("expected element " + llvm::Twine(index) +
                               " of '" + key +
                               "' to be an object with a 'name'");
    entry.name = name->str();
    Expected<TensorType> type = parseTensorType(*entry.object);
    if (!type)
      return createStringError("tensor '" + *name +
                               "': " + llvm::toString(type.takeError()));
    entry.type = *type;
    if (!section.types.try_emplace(*name, *type).second)
      return createStringError("tensor '" + *name + "' is given twice in '" +
                               key + "'");
    section.entries.push_back(std::move(entry));
  }
  return section;
}

Expected<ExpressionPtr> Reader::readValue(const Entry &entry, StringRef key,
                                          const Section &from) {
  auto fail = [&](const llvm::Twine &message) {
    return createStringError("tensor '" + entry.name + "': '" + key +
                             "': " + message);
  };
  const json::Value *value = entry.object->get(key);
  if (!value)
    return fail("expected an expression, got nothing");
  Expected<ExpressionPtr> parsed = parseExpression(
      *value, [&](StringRef name) { return from.lookup(name); });
  if (!parsed)
    return fail(llvm::toString(parsed.takeError()));
  if ((*parsed)->type != entry.type)
    return fail("expected a value of type " + formatType(entry.type) +
                ", got " + formatType((*parsed)->type));
  return parsed;
}

/// Names and types of the constants, and the file that has their elements.
Error Reader::readConstants(const json::Object &root, const Section &sources,
                            Recipe &recipe) {
  if (!root.get("constants"))
    return Error::success();
  Expected<Section> section = readSection(root, "constants");
  if (!section)
    return section.takeError();
  const json::Object *file = root.getObject("constants_file");
  std::optional<StringRef> name, hash;
  if (file) {
    name = file->getString("file");
    hash = file->getString("sha256");
  }
  if (!name || !hash || name->empty() || name->contains('/'))
    return createStringError("expected 'constants_file' to be an object with "
                             "the 'file' beside the recipe and its 'sha256'");
  recipe.constantsFile = {name->str(), hash->str(), nullptr};
  for (const Entry &entry : section->entries) {
    if (sources.lookup(entry.name))
      return createStringError("tensor '" + entry.name +
                               "' is given in 'sources' and in 'constants'");
    recipe.constants.push_back({entry.name, {entry.type, {}, nullptr}});
  }
  return Error::success();
}

Expected<Recipe> Reader::read(const json::Object &root) {
  std::optional<int64_t> found = root.getInteger("schema");
  if (!found)
    return createStringError("expected 'schema' to be a whole number");
  if (*found != schema)
    return createStringError("expected schema " + llvm::Twine(schema) +
                             ", got " + llvm::Twine(*found));
  Expected<Section> sources = readSection(root, "sources");
  if (!sources)
    return sources.takeError();
  Expected<Section> packed = readSection(root, "packed");
  if (!packed)
    return packed.takeError();

  Recipe recipe;
  recipe.ranks = root.getInteger("ranks").value_or(1);
  if (Error error = readConstants(root, *sources, recipe))
    return error;
  Section readable;
  readable.types = sources->types;
  for (const ConstantTensor &constant : recipe.constants)
    readable.types.try_emplace(constant.name, constant.value.type);
  for (const Entry &entry : packed->entries) {
    Expected<ExpressionPtr> value = readValue(entry, "value", readable);
    if (!value)
      return value.takeError();
    recipe.packed.push_back({entry.name, *value});
  }
  for (const Entry &entry : sources->entries) {
    SourceTensor source{entry.name, entry.type, nullptr, ""};
    if (std::optional<StringRef> lost = entry.object->getString("lost")) {
      source.lost = lost->str();
    } else {
      Expected<ExpressionPtr> restore = readValue(entry, "restore", *packed);
      if (!restore)
        return restore.takeError();
      source.restore = *restore;
    }
    recipe.sources.push_back(std::move(source));
  }
  return recipe;
}

/// Hashes a file that can be read again, else nothing.
static std::string computeSha256(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return "";
  llvm::SHA256 hash;
  hash.update((*buffer)->getBuffer());
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

Expected<Recipe> recipe::readRecipe(StringRef path) {
  Expected<json::Object> root = readJSONObject(path);
  if (!root)
    return root.takeError();
  Expected<Recipe> recipe = Reader().read(*root);
  if (!recipe)
    return createStringError(path + ": " + llvm::toString(recipe.takeError()));
  recipe->sha256 = computeSha256(path);
  if (Error error = readConstants(*recipe, path))
    return error;
  return recipe;
}
