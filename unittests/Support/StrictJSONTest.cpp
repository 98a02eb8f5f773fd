//===- StrictJSONTest.cpp - JSON that lies is refused ---------------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/StrictJSON.h"
#include "TemporaryFolder.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <limits>

using namespace parablock;
using llvm::Failed;
using llvm::FailedWithMessage;
using llvm::Succeeded;
using testing::HasSubstr;

TEST(StrictJSONTest, RefusesKeysGivenTwice) {
  EXPECT_THAT_EXPECTED(
      parseStrictJSON(R"({"a":{"b":1},"b":["a","a",{"a":":"}]})"), Succeeded())
      << "valid";
  EXPECT_THAT_EXPECTED(parseStrictJSON(R"({"a":1,"b":2,"a":3})"),
                       FailedWithMessage(HasSubstr("key 'a' is given twice")))
      << "key twice";
  EXPECT_THAT_EXPECTED(parseStrictJSON(R"({"x":[{"a":1, "a" :3}]})"),
                       FailedWithMessage(HasSubstr("key 'a' is given twice")))
      << "key twice inside";
  EXPECT_THAT_EXPECTED(parseStrictJSON(R"({"a\"":1,"\u0061\"":3})"),
                       FailedWithMessage(HasSubstr("is given twice")))
      << "key twice, once escaped";
}

TEST(StrictJSONTest, LimitsTheDepth) {
  EXPECT_THAT_EXPECTED(parseStrictJSON("[[[]]]", 3), Succeeded())
      << "depth at the limit";
  EXPECT_THAT_EXPECTED(parseStrictJSON("[[[]]]", 2),
                       FailedWithMessage(HasSubstr("at most 2 nested levels")))
      << "too deep";
  EXPECT_THAT_EXPECTED(parseStrictJSON(std::string(1000000, '[')),
                       FailedWithMessage(HasSubstr("nested levels")))
      << "a million brackets";
}

TEST(StrictJSONTest, RefusesBrokenText) {
  EXPECT_THAT_EXPECTED(parseStrictJSON("{\"a"),
                       FailedWithMessage(HasSubstr("string")))
      << "unfinished string";
  EXPECT_THAT_EXPECTED(parseStrictJSON("{\"a\\"),
                       FailedWithMessage(HasSubstr("escape")))
      << "unfinished escape";
  EXPECT_THAT_EXPECTED(parseStrictJSON("]]"), Failed()) << "closing too often";
  EXPECT_THAT_EXPECTED(parseStrictJSON("\"\xff\""),
                       FailedWithMessage(HasSubstr("UTF-8")))
      << "not UTF-8";
}

TEST(StrictJSONTest, ReadsObjectsFromFiles) {
  unittest::TemporaryFolder folder;
  EXPECT_EQ(readJSONObject(folder.write("good", "{\"a\":5}"))
                ->getInteger("a")
                .value_or(0),
            5)
      << "reads an object";
  EXPECT_THAT_EXPECTED(
      readJSONObject(folder.write("list", "[1]")),
      FailedWithMessage(HasSubstr("list: expected a JSON object")))
      << "not an object";
  EXPECT_THAT_EXPECTED(readJSONObject(folder.write("bad", "{")),
                       FailedWithMessage(HasSubstr("bad: ")))
      << "not JSON";
  EXPECT_THAT_EXPECTED(readJSONObject(folder.path("none")),
                       FailedWithMessage(HasSubstr("none: ")))
      << "no file";
}

TEST(StrictJSONTest, NumbersThatAreNotFiniteAreNull) {
  EXPECT_EQ(toJSONNumber(0.5), llvm::json::Value(0.5)) << "a number";
  EXPECT_EQ(toJSONNumber(std::numeric_limits<double>::infinity()),
            llvm::json::Value(nullptr))
      << "no number";
}
