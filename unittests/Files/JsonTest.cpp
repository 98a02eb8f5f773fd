//===- JsonTest.cpp - JSON without LLVM -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/Json.h"

#include "Check.h"

using namespace parablock;
using files::Json;

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
  const char *texts[] = {"",
                         "{",
                         "{\"a\" 1}",
                         "{\"a\": 1,}",
                         "[1 2]",
                         "[1",
                         "\"open",
                         "{\"a\": 1, \"a\": 2}",
                         "1 2",
                         "tru",
                         "-",
                         "1e",
                         "\"\\x\"",
                         "\"\\u12\"",
                         "\"\\ud800\"",
                         "\"\n\"",
                         "01",
                         "+1",
                         ".5",
                         "1.",
                         "NaN",
                         "Infinity",
                         "-Infinity",
                         "1e+",
                         "[,]",
                         "\"\\udc00\"",
                         "\"\xff\"",
                         "\"\xc0\x80\"",
                         "[1,]",
                         "\"\xe2\x82\"",
                         "\"\xed\xa0\x80\"",
                         "{\"b\":[],\"a\":1,\"b\":2}"};
  for (const char *text : texts) {
    Json value;
    files::Status failure = Json::parse(text, value);
    CHECK(llvm::Twine("refused: ") + text,
          failure && failure->text.find("at byte") != std::string::npos);
  }
  Json value;
  std::string deep(100000, '[');
  CHECK("deep nesting", bool(Json::parse(deep, value)));
  std::string numbers = "[0";
  for (unsigned i = 0; i < Json::mostValues; ++i)
    numbers += ",0";
  files::Status many = Json::parse(numbers + "]", value);
  CHECK("more values than fit in memory",
        many &&
            many->text.find("expected at most 2097152 values at byte") == 0);
  CHECK("a zero byte", bool(Json::parse(std::string_view("1\0", 2), value)));
}

static void testQuote() {
  Json value;
  std::string text = "a\"b\\c\x01\n\xC3\xA9";
  CHECK("quoted text is read back",
        !Json::parse(files::quoteJson(text), value) && value.text() == text);
}

/// Finding one of many keys, and a key that is there twice among many.
static void testManyKeys() {
  std::string text = "{";
  for (unsigned i = 0; i < 200'000; ++i)
    text += "\"" + std::to_string(i) + "\":" + std::to_string(2 * i) + ",";
  Json value;
  CHECK("200,000 keys", !Json::parse(text + "\"x\":0}", value));
  bool found = true;
  for (unsigned i = 0; i < 200'000; ++i) {
    const Json *number = value.find(std::to_string(i));
    found &= number && number->integer() == int64_t(2 * i);
  }
  CHECK("are all found", found);
  files::Status twice = Json::parse(text + "\"7\":0}", value);
  CHECK("one of them twice",
        twice && twice->text.find("key '7' is given twice") == 0);
}

int main() {
  testManyKeys();
  testGood();
  testBad();
  testQuote();
  return unittest::finish();
}
