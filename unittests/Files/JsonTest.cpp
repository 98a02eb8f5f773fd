//===- JsonTest.cpp - JSON without LLVM -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/Json.h"
#include "Failures.h"
#include "gtest/gtest.h"

using namespace parablock;
using files::Json;
using testing::HasSubstr;
using testing::StartsWith;
using unittest::FailsWith;

TEST(JsonTest, ParsesValues) {
  Json value;
  ASSERT_EQ(
      Json::parse(" {\"a\": [1, -2, {\"b\": null}], \"c\": true} ", value),
      std::nullopt);
  const Json *list = value.find("a");
  ASSERT_TRUE(list);
  ASSERT_EQ(list->elements().size(), 3u);
  EXPECT_EQ(list->elements()[1].integer(), -2);
  EXPECT_FALSE(value.find("b"));
  for (const char *number : {"1.5", "99999999999999999999"}) {
    EXPECT_EQ(Json::parse(number, value), std::nullopt);
    EXPECT_EQ(value.integer(), std::nullopt) << number;
  }
  EXPECT_EQ(Json::parse("\"\\u00e9\\ud83d\\ude00\\n\\\"\\u20ac\"", value),
            std::nullopt);
  EXPECT_EQ(value.text(), "\xC3\xA9\xF0\x9F\x98\x80\n\"\xE2\x82\xAC");
}

TEST(JsonTest, RefusesWhatIsNoJson) {
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
    EXPECT_THAT(Json::parse(text, value), FailsWith(HasSubstr("at byte")))
        << text;
  }
  Json value;
  EXPECT_NE(Json::parse(std::string_view("1\0", 2), value), std::nullopt);
}

TEST(JsonTest, RefusesWhatDoesNotFitInMemory) {
  Json value;
  EXPECT_NE(Json::parse(std::string(100000, '['), value), std::nullopt);
  std::string numbers = "[0";
  for (unsigned i = 0; i < Json::mostValues; ++i)
    numbers += ",0";
  EXPECT_THAT(Json::parse(numbers + "]", value),
              FailsWith(StartsWith("expected at most 2097152 values at byte")));
}

TEST(JsonTest, QuotedTextIsReadBack) {
  Json value;
  std::string text = "a\"b\\c\x01\n\xC3\xA9";
  EXPECT_EQ(Json::parse(files::quoteJson(text), value), std::nullopt);
  EXPECT_EQ(value.text(), text);
}

TEST(JsonTest, FindsEachOfManyKeys) {
  std::string text = "{";
  for (unsigned i = 0; i < 200'000; ++i)
    text += "\"" + std::to_string(i) + "\":" + std::to_string(2 * i) + ",";
  Json value;
  ASSERT_EQ(Json::parse(text + "\"x\":0}", value), std::nullopt);
  for (unsigned i = 0; i < 200'000; ++i) {
    const Json *number = value.find(std::to_string(i));
    ASSERT_TRUE(number) << i;
    ASSERT_EQ(number->integer(), int64_t(2 * i));
  }
  EXPECT_THAT(Json::parse(text + "\"7\":0}", value),
              FailsWith(StartsWith("key '7' is given twice")));
}
