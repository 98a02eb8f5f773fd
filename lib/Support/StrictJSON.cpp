//===- StrictJSON.cpp - parses JSON with limits ---------------------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/StrictJSON.h"
#include "parablock/Files/Json.h"
#include "parablock/Support/InputFile.h"
#include <cmath>

using namespace parablock;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

/// An object needs about 4 kB in memory and 5 bytes in a text, a value 80 and
/// 2.
static constexpr size_t mostObjects = 1 << 18;
static constexpr size_t mostValues = 1 << 22;

Expected<json::Value> parablock::parseStrictJSON(StringRef text,
                                                 unsigned maxDepth) {
  if (files::Status failure = files::checkJson(text, maxDepth))
    return llvm::createStringError(failure->text);
  if (text.count('{') > mostObjects || text.count(',') > mostValues)
    return llvm::createStringError("expected at most " +
                                   llvm::Twine(mostObjects) + " objects and " +
                                   llvm::Twine(mostValues) + " values");
  return json::parse(text);
}

Expected<json::Object> parablock::readJSONObject(StringRef path) {
  auto fail = [&](const llvm::Twine &message) {
    return llvm::createStringError(path + ": " + message);
  };
  Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      readInput(path, InputForm::Bytes);
  if (!buffer)
    return fail(llvm::toString(buffer.takeError()));
  Expected<json::Value> value = parseStrictJSON((*buffer)->getBuffer());
  if (!value)
    return fail(llvm::toString(value.takeError()));
  if (json::Object *object = value->getAsObject())
    return std::move(*object);
  return fail("expected a JSON object");
}

json::Value parablock::toJSONNumber(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}
