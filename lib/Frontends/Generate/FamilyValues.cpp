//===- FamilyValues.cpp - checks and patches JSON of families -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FamilyValues.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace parablock;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

void generate::stop(const Twine &message) {
  llvm::reportFatalInternalError("families: " + message);
}

void generate::stop(const Twine &expected, const json::Value &found) {
  std::string text;
  llvm::raw_string_ostream(text) << found;
  stop("expected " + expected + ", got " + text);
}

const json::Object &generate::getObject(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    stop("an object", value);
  return *object;
}

const json::Array &generate::getList(const json::Value &value) {
  const json::Array *list = value.getAsArray();
  if (!list)
    stop("a list", value);
  return *list;
}

void generate::patch(json::Value &base, const json::Value &changes) {
  const json::Object *fields = changes.getAsObject();
  json::Object *object = base.getAsObject();
  json::Array *list = base.getAsArray();
  if (!fields || (!object && !list)) {
    base = changes;
    return;
  }
  for (const auto &[field, change] : *fields) {
    StringRef key = field;
    size_t index = 0;
    if (object && change.kind() == json::Value::Null)
      object->erase(key);
    else if (object)
      patch(object->try_emplace(field, json::Object()).first->getSecond(),
            change);
    else if (key == "+")
      list->insert(list->end(), getList(change).begin(), getList(change).end());
    else if (!key.getAsInteger(10, index) && index < list->size())
      patch((*list)[index], change);
    else
      stop("a patch of '" + key + "' for", base);
  }
}
