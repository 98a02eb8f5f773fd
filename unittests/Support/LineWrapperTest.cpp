//===- LineWrapperTest.cpp - long lines of printed IR ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/LineWrapper.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace parablock;
using llvm::SmallVector;
using llvm::StringRef;

/// `text` as it comes out, written in pieces of at most `piece` bytes.
static std::string wrap(StringRef text, size_t piece = ~size_t(0)) {
  std::string wrapped;
  llvm::raw_string_ostream os(wrapped);
  {
    LineWrapper lines(os);
    lines.SetUnbuffered();
    for (; !text.empty(); text = text.drop_front(std::min(piece, text.size())))
      lines << text.take_front(piece);
  }
  return wrapped;
}

static SmallVector<StringRef> linesOf(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  return lines;
}

static size_t longestOf(StringRef text) {
  size_t longest = 0;
  for (StringRef line : linesOf(text))
    longest = std::max(longest, line.size());
  return longest;
}

/// Undoes the breaks of one line.
static std::string join(StringRef text) {
  SmallVector<StringRef> lines = linesOf(text);
  std::string joined = lines.front().str();
  for (StringRef line : llvm::ArrayRef(lines).drop_front())
    joined += " " + line.ltrim(' ').str();
  return joined;
}

/// `count` times `item`, `between` them.
static std::string repeat(StringRef item, size_t count, StringRef between) {
  return llvm::join(SmallVector<StringRef>(count, item), between);
}

static void checkUnchanged(StringRef name, StringRef text) {
  EXPECT_EQ(wrap(text), text.str()) << name.str();
}

TEST(LineWrapperTest, LeavesWhatHasNoPlaceToBreak) {
  std::string list = repeat("a, b", 60, ", ");
  checkUnchanged("nothing", "");
  checkUnchanged("no end of line", "module {}");
  checkUnchanged("empty lines", "\n\n  x\n\n");
  checkUnchanged("as long as a line",
                 std::string(79, 'a') + ", " + std::string(79, 'b') + "\n");
  checkUnchanged("one long string", "\"" + list + "\"\n");
  checkUnchanged("a quote in a string", "\"\\\"" + list + "\"\n");
  checkUnchanged("a backslash before a quote", "\"\\\\\\\"" + list + "\"");
  checkUnchanged("a string without an end", "\"" + list + "\\");
  checkUnchanged("a comment", "// " + list + "\n");
  checkUnchanged("a foreign attribute", "#foreign.list<" + list + ">\n");
  checkUnchanged("one in brackets", "#foreign.list<([{" + list + "}])>\n");
  checkUnchanged("one with an arrow", "!foreign.a<x -> " + list + ">\n");
  checkUnchanged("one with ours in it",
                 "!foreign.a<#block.init<" + list + ">>\n");
  checkUnchanged("resources", "{-#\n  x: \"0x" + std::string(300, '0') +
                                  "\", " + list + "\n#-}\n");
  checkUnchanged("resources of one line", "{-# " + list + " #-}\n");
  checkUnchanged("bytecode", "ML\xefR\x0d" + list + "\n" + list);
}

TEST(LineWrapperTest, LeavesUnbrokenTextAlone) {
  std::string text = "%0 = block.op " + repeat("%argument", 99, ", ") + "\n";
  ASSERT_NE(wrap(text), text);
  std::string whole;
  llvm::raw_string_ostream os(whole);
  LineWrapper(os, /*unbroken=*/true) << text;
  EXPECT_EQ(whole, text);
}

TEST(LineWrapperTest, BreaksLongLines) {
  std::string list = repeat("a, b", 60, ", ");
  EXPECT_LE(longestOf(wrap("{-#\n" + std::string(100, 'x') + "\n#-}\n" + list)),
            LineWrapper::longest)
      << "behind resources";
  EXPECT_LE(longestOf(wrap("\"{-#\"\n" + list)), LineWrapper::longest)
      << "a string that only begins as resources do";
  std::string commented = wrap(list + " // " + list);
  StringRef last = StringRef(commented).rsplit('\n').second;
  EXPECT_EQ(last.substr(last.find("//")), "// " + list)
      << "a comment behind a list";
  EXPECT_EQ(
      wrap("  x #block.init<" + repeat("kind = normal", 12, ", ") + ">\n"),
      "  x #block.init<" + repeat("kind = normal", 9, ", ") + ",\n      " +
          repeat("kind = normal", 3, ", ") + ">\n")
      << "an attribute of ours";
  // Outside of the brackets before inside of them.
  std::string types = "(" + repeat("tensor<1x2xf32>", 6, ", ") + ")";
  EXPECT_EQ(wrap("%0 = op " + types + ", " + types + "\n"),
            "%0 = op " + types + ",\n    " + types + "\n")
      << "by depth";
  std::string operands = repeat("key %operand", 20, " ");
  EXPECT_EQ(wrap(operands), repeat("key %operand", 12, " ") + "\n    " +
                                repeat("key %operand", 8, " "))
      << "before a keyword";
}

/// One argument to a line, and nothing of its attributes or of the results.
TEST(LineWrapperTest, PutsEachArgumentOnALineOfItsOwn) {
  std::string argument =
      "tensor<4x4xf32> {block.param = \"weight, of\", b = 1}";
  EXPECT_EQ(wrap("  func.func @main(%arg0: " + argument +
                 ", %arg1: " + argument + ", %arg2: i64) -> (f32, f64) {\n"),
            "  func.func @main(%arg0: " + argument + ",\n      %arg1: " +
                argument + ",\n      %arg2: i64) -> (f32, f64) {\n")
      << "arguments";
  std::string shortOne = "  func.func @main(%arg0: i64, %arg1: i64) {\n";
  EXPECT_EQ(wrap(shortOne), shortOne) << "on one line where they fit";
}

/// Random tokens, in random pieces: the text is the same but for its breaks,
/// and no line that could be broken is too long.
TEST(LineWrapperTest, RandomTextOnlyGainsBreaks) {
  const SmallVector<StringRef> tokens = {
      "%0", "=",    "->",  ",",   "(",     ")",      "<",         ">",
      "[",  "]",    "{",   "}",   "\"a\"", "\"\\\"", "tensor<4>", ">=",
      "b:", "\"b,", "c\"", "key", "1.5",   "#a.b<x", "!block.c<", "\\",
      "x>", "loc(", "\"/", "/\"", "@f",    "#map",   "...",       "#-}"};
  std::mt19937 random(7);
  bool isSame = true, isBroken = false;
  for (int round = 0; round < 2000; ++round) {
    std::string text = round % 2 ? "" : "  func.func ";
    for (size_t i = 0, count = random() % 120; i < count; ++i)
      text += (i ? " " : "") + tokens[random() % tokens.size()].str();
    std::string wrapped = wrap(text, 1 + random() % 40);
    isSame &= join(wrapped) == text && wrapped == wrap(text);
    isBroken |= wrapped != text;
  }
  EXPECT_TRUE(isSame) << "random text is the same";
  EXPECT_TRUE(isBroken) << "and is broken at times";
}
