//===- SourceTextTest.cpp - text that is nested too deep ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/SourceText.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using llvm::FailedWithMessage;
using llvm::Succeeded;
using testing::HasSubstr;

static std::string repeat(llvm::StringRef text, unsigned count) {
  std::string result;
  while (count--)
    result += text;
  return result;
}

TEST(SourceTextTest, AcceptsTextThatIsNotDeep) {
  std::pair<const char *, std::string> texts[] = {
      {"256 brackets", repeat("{", 256)},
      {"one behind the other", repeat("{} () [] tuple<i1> ", 1000)},
      {"arrows", repeat("(i32) -> (i32) ", 1000)},
      {"what is no bracket", repeat("d0 >= 0, d0 <= 3, ", 1000)},
      {"less than something", repeat("{(a < b)}", 1000)},
      {"in a string", "\"" + repeat("{\\\"", 1000) + "\""},
      {"in a comment", "// " + repeat("{", 1000) + "\n"},
      {"a comment without an end", "// " + repeat("{", 1000)},
      {"a string without an end", "\"abc\\"},
      {"signs apart", repeat("- d0 ", 1000)},
      {"nothing", ""},
      {"closed too often", repeat(")", 1000)}};
  for (const auto &[name, text] : texts)
    EXPECT_THAT_ERROR(checkSourceText(text, "f.mlir"), Succeeded()) << name;
}

TEST(SourceTextTest, RefusesDeepText) {
  for (llvm::StringRef one :
       {"{", "(", "[", "<", "{ a = ", "-", "- \n", "({\n", "\"op\"() ({",
        "tuple<", "{ affine_set<(d0) : (d0 >= 0)>", "( >", "[ ->", "{ //}\n",
        "{ \"}\" "})
    EXPECT_THAT_ERROR(
        checkSourceText(repeat(one, 300), "f.mlir"),
        FailedWithMessage(HasSubstr(
            "expected at most 256 nested brackets or signs in a row")))
        << (llvm::Twine("300 times ") + one).str();
  EXPECT_THAT_ERROR(checkSourceText("\n\n" + repeat("{", 300), "f.mlir"),
                    FailedWithMessage(HasSubstr("f.mlir:3: ")))
      << "where";
}

TEST(SourceTextTest, BytecodeIsNotLookedAt) {
  EXPECT_TRUE(isBytecodeText("ML\xefR\x06")) << "bytecode";
  EXPECT_FALSE(isBytecodeText("module {}")) << "text";
  EXPECT_THAT_ERROR(checkSourceText("ML\xefR" + repeat("{", 300), "f"),
                    Succeeded())
      << "bytecode is not looked at";
}
