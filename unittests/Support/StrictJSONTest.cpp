//===- StrictJSONTest.cpp - JSON that lies is refused ---------------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/StrictJSON.h"
#include "Check.h"
#include "TemporaryFolder.h"
#include <limits>

using namespace parablock;

int main() {
  CHECK_SUCCEEDS(
      "valid",
      parseStrictJSON(R"({"a":{"b":1},"b":["a","a",{"a":":"}]})").takeError());
  CHECK_FAILS("key twice", parseStrictJSON(R"({"a":1,"b":2,"a":3})"),
              "key 'a' is given twice");
  CHECK_FAILS("key twice inside", parseStrictJSON(R"({"x":[{"a":1, "a" :3}]})"),
              "key 'a' is given twice");
  CHECK_FAILS("key twice, once escaped",
              parseStrictJSON(R"({"a\"":1,"\u0061\"":3})"), "is given twice");
  CHECK_SUCCEEDS("depth at the limit",
                 parseStrictJSON("[[[]]]", 3).takeError());
  CHECK_FAILS("too deep", parseStrictJSON("[[[]]]", 2),
              "at most 2 nested levels");
  CHECK_FAILS("a million brackets", parseStrictJSON(std::string(1000000, '[')),
              "nested levels");
  CHECK_FAILS("unfinished string", parseStrictJSON("{\"a"), "string");
  CHECK_FAILS("unfinished escape", parseStrictJSON("{\"a\\"), "escape");
  CHECK_FAILS("closing too often", parseStrictJSON("]]"), "");
  CHECK_FAILS("not UTF-8", parseStrictJSON("\"\xff\""), "UTF-8");

  unittest::TemporaryFolder folder;
  CHECK_EQUAL("reads an object",
              readJSONObject(folder.write("good", "{\"a\":5}"))
                  ->getInteger("a")
                  .value_or(0),
              5);
  CHECK_FAILS("not an object", readJSONObject(folder.write("list", "[1]")),
              "list: expected a JSON object");
  CHECK_FAILS("not JSON", readJSONObject(folder.write("bad", "{")), "bad: ");
  CHECK_FAILS("no file", readJSONObject(folder.path("none")), "none: ");

  CHECK("a number", toJSONNumber(0.5) == llvm::json::Value(0.5));
  CHECK("no number", toJSONNumber(std::numeric_limits<double>::infinity()) ==
                         llvm::json::Value(nullptr));
  return unittest::finish();
}
