//===- JsonTest.cpp - JSON without LLVM -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Launch/Json.h"

#include "Check.h"

using namespace parablock;
using launch::Json;

static void testGood() {
  Json value;
  CHECK("an object",
        !Json::parse(" {\"a\": [1, -2, {\"b\": null}], \"c\": true} ", value));
  const Json *list = value.find("a");
  CHECK("its list", list && list->elements().size() == 3);
  CHECK_EQUAL("a number", list->elements()[1].integer().value_or(0),
              int64_t(-2));
  CHECK("no such key", !value.find("b"));
  CHECK("a fraction is no whole number",
        !Json::parse("1.5", value) && !value.integer());
  CHECK("nor is one of 65 bits",
        !Json::parse("99999999999999999999", value) && !value.integer());
  CHECK("escapes",
        !Json::parse("\"\\u00e9\\ud83d\\ude00\\n\\\"\\u20ac\"", value));
  CHECK_EQUAL("in UTF-8", value.text(),
              "\xC3\xA9\xF0\x9F\x98\x80\n\"\xE2\x82\xAC");
}

static void testBad() {
  const char *texts[] = {
      "",        "{",         "{\"a\" 1}",   "{\"a\": 1,}",
      "[1 2]",   "[1",        "\"open",      "{\"a\": 1, \"a\": 2}",
      "1 2",     "tru",       "-",           "1e",
      "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\n\""};
  for (const char *text : texts) {
    Json value;
    launch::Status failure = Json::parse(text, value);
    CHECK(llvm::Twine("refused: ") + text,
          failure && failure->text.find("at byte") != std::string::npos);
  }
  Json value;
  std::string deep(100000, '[');
  CHECK("deep nesting", bool(Json::parse(deep, value)));
  CHECK("a zero byte", bool(Json::parse(std::string_view("1\0", 2), value)));
}

static void testQuote() {
  Json value;
  std::string text = "a\"b\\c\x01\n\xC3\xA9";
  CHECK("quoted text is read back",
        !Json::parse(launch::quoteJson(text), value) && value.text() == text);
}

int main() {
  testGood();
  testBad();
  testQuote();
  return unittest::finish();
}
