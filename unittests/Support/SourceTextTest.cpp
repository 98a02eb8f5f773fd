//===- SourceTextTest.cpp - text that is nested too deep ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/SourceText.h"

#include "Check.h"

using namespace parablock;

static std::string repeat(llvm::StringRef text, unsigned count) {
  std::string result;
  while (count--)
    result += text;
  return result;
}

static void testGood() {
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
    CHECK_SUCCEEDS(name, checkSourceText(text, "f.mlir"));
}

static void testBad() {
  for (llvm::StringRef one :
       {"{", "(", "[", "<", "{ a = ", "-", "- \n", "({\n", "\"op\"() ({",
        "tuple<", "{ affine_set<(d0) : (d0 >= 0)>", "( >", "[ ->", "{ //}\n",
        "{ \"}\" "})
    CHECK_FAILS(llvm::Twine("300 times ") + one,
                checkSourceText(repeat(one, 300), "f.mlir"),
                "expected at most 256 nested brackets or signs in a row");
  CHECK_FAILS("where", checkSourceText("\n\n" + repeat("{", 300), "f.mlir"),
              "f.mlir:3: ");
}

int main() {
  testGood();
  testBad();
  CHECK("bytecode", isBytecodeText("ML\xefR\x06"));
  CHECK("text", !isBytecodeText("module {}"));
  CHECK_SUCCEEDS("bytecode is not looked at",
                 checkSourceText("ML\xefR" + repeat("{", 300), "f"));
  return unittest::finish();
}
