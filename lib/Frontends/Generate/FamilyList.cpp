//===- FamilyList.cpp - reads the list of families ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file implements the list of families/*.json, which the build embeds:
// names, sizes, and fields with those of an earlier family that one is like.
//
//===----------------------------------------------------------------------===//

#include "FamilyTable.h"
#include "FamilyValues.h"
#include "parablock/Support/StrictJSON.h"
#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::generate;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr const char *texts[] = {
#include "Families.inc"
};

static Sizes readSizes(const json::Value &value) {
  Sizes sizes;
  sizes.kvHeads = 0;
  std::pair<StringRef, int64_t *> known[] = {
      {"layers", &sizes.layers},    {"width", &sizes.width},
      {"heads", &sizes.heads},      {"head_dim", &sizes.headDim},
      {"hidden", &sizes.hidden},    {"vocab", &sizes.vocab},
      {"kv_heads", &sizes.kvHeads}, {"positions", &sizes.positions},
      {"rope_dim", &sizes.ropeDim},
  };
  constexpr size_t numRequired = 6;
  const json::Object &fields = getObject(value);
  for (auto [index, entry] : llvm::enumerate(known)) {
    const json::Value *field = fields.get(entry.first);
    if (!field && index < numRequired)
      stop("no size '" + entry.first + "'");
    if (!field)
      continue;
    std::optional<int64_t> size = field->getAsInteger();
    if (!size)
      stop("an integer for size '" + entry.first + "'", *field);
    *entry.second = *size;
  }
  for (const auto &[name, size] : fields)
    if (llvm::none_of(known, [&, &key = name](const auto &entry) {
          return entry.first == StringRef(key);
        }))
      stop("no size is named '" + StringRef(name) + "'");
  if (!fields.get("kv_heads"))
    sizes.kvHeads = sizes.heads;
  return sizes;
}

/// Returns a field of text, or nothing without one.
static StringRef readText(const json::Object &fields, StringRef name) {
  const json::Value *field = fields.get(name);
  if (!field)
    return "";
  std::optional<StringRef> text = field->getAsString();
  if (!text)
    stop("text for '" + name + "'", *field);
  return *text;
}

static Family readFamily(const json::Value &value,
                         llvm::ArrayRef<Family> known) {
  Family family;
  const json::Object &own = getObject(value);
  auto find = [&](StringRef name) {
    return llvm::find_if(
        known, [&](const Family &other) { return other.name == name; });
  };
  family.name = readText(own, "name").str();
  if (family.name.empty() || find(family.name) != known.end())
    stop("a name of its own", own.get("name") ? *own.get("name") : nullptr);
  if (StringRef base = readText(own, "like"); !base.empty()) {
    auto found = find(base);
    if (found == known.end())
      stop("'" + family.name + "' is like '" + base +
           "', which is not an earlier family");
    family.model = found->model;
  }
  patch(family.model, value);
  json::Object &fields = *family.model.getAsObject();
  fields.erase("like");
  family.description = readText(fields, "is").str();
  if (const json::Value *flag = fields.get("values_are_rows")) {
    if (!flag->getAsBoolean())
      stop("a truth value for 'values_are_rows'", *flag);
    family.valuesAreRows = *flag->getAsBoolean();
  }
  const json::Value *sizes = fields.get("sizes");
  if (!sizes)
    stop("'" + family.name + "' has no sizes");
  family.base = readSizes(*sizes);
  return family;
}

llvm::ArrayRef<Family> generate::getFamilies() {
  static const std::vector<Family> families = [] {
    std::vector<Family> families;
    for (const char *text : texts) {
      llvm::Expected<json::Value> list = parseStrictJSON(text);
      if (!list)
        stop(llvm::toString(list.takeError()));
      for (const json::Value &family : getList(*list))
        families.push_back(readFamily(family, families));
    }
    return families;
  }();
  return families;
}
