//===- MutateText.cpp - texts and bytes made wrong ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MutateText.h"

#include "llvm/ADT/StringExtras.h"
#include <vector>

using namespace parablock;
using namespace parablock::fuzz;
using llvm::StringRef;

namespace {
enum class TokenKind { Space, Number, Value, Word, Other };
struct Token {
  TokenKind kind;
  std::string text;
};
} // namespace

static constexpr StringRef kNumbers[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "4",
                                         "5",
                                         "6",
                                         "8",
                                         "12",
                                         "-1",
                                         "-2",
                                         "100",
                                         "65536",
                                         "2147483647",
                                         "4294967296",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "18446744073709551615",
                                         "1e308",
                                         "0.0",
                                         "-0.5",
                                         "1.5",
                                         "0x7FF0000000000000",
                                         "0x7FF8000000000000",
                                         "1e-320",
                                         "?"};

static constexpr StringRef kWords[] = {"layer",
                                       "rms",
                                       "l2",
                                       "simple_rms",
                                       "half",
                                       "interleaved",
                                       "head",
                                       "whole",
                                       "before_rope",
                                       "after_rope",
                                       "before_gain",
                                       "after_gain",
                                       "direct",
                                       "one_plus",
                                       "scale_bias_cap",
                                       "true",
                                       "bias_scale_cap",
                                       "scale_cap_bias",
                                       "false",
                                       "inside_root",
                                       "outside_root",
                                       "relu",
                                       "silu",
                                       "gelu_tanh",
                                       "identity",
                                       "f32",
                                       "bf16",
                                       "f16",
                                       "f64",
                                       "f8E4M3FN",
                                       "i64",
                                       "i1",
                                       "i8",
                                       "i32",
                                       "index",
                                       "none",
                                       "unit",
                                       "constant",
                                       "normal",
                                       "uniform",
                                       "concatenated",
                                       "block.norm",
                                       "block.scale",
                                       "block.residual",
                                       "block.yield"};

std::string fuzz::makeNumber(Random &random) {
  return random.among(kNumbers).str();
}

static bool isWordCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

/// Dimensions of types ("1x3xf32") are numbers and words of their own.
static std::vector<Token> tokenize(StringRef text) {
  std::vector<Token> tokens;
  auto take = [&](TokenKind kind, size_t size) {
    tokens.push_back({kind, text.take_front(size).str()});
    text = text.drop_front(size);
  };
  auto countWhile = [&](auto predicate, size_t from) {
    while (from < text.size() && predicate(text[from]))
      ++from;
    return from;
  };
  while (!text.empty()) {
    char c = text.front();
    if (llvm::isSpace(c))
      take(TokenKind::Space, countWhile(llvm::isSpace, 1));
    else if (llvm::isDigit(c))
      take(TokenKind::Number,
           countWhile([](char d) { return llvm::isDigit(d) || d == '.'; }, 1));
    else if (c == 'x' && !tokens.empty() &&
             (tokens.back().kind == TokenKind::Number ||
              tokens.back().text == "?"))
      take(TokenKind::Other, 1);
    else if (c == '%' || c == '#' || c == '@' || c == '!')
      take(TokenKind::Value, countWhile(isWordCharacter, 1));
    else if (llvm::isAlpha(c) || c == '_')
      take(TokenKind::Word, countWhile(isWordCharacter, 1));
    else
      take(TokenKind::Other, 1);
  }
  return tokens;
}

static std::string join(const std::vector<Token> &tokens) {
  std::string text;
  for (const Token &token : tokens)
    text += token.text;
  return text;
}

/// Index of a random token that is no white space, of `kind` where given.
static size_t pickToken(const std::vector<Token> &tokens, Random &random,
                        std::optional<TokenKind> kind = std::nullopt) {
  size_t index = random.below(tokens.size());
  for (size_t tries = 0; tries < tokens.size(); ++tries) {
    const Token &token = tokens[index];
    if (kind ? token.kind == *kind : token.kind != TokenKind::Space)
      break;
    index = (index + 1) % tokens.size();
  }
  return index;
}

/// Another token in place of `old`; words often become ones of this very text.
static std::string replaceToken(const std::vector<Token> &tokens, size_t old,
                                Random &random) {
  TokenKind kind = tokens[old].kind;
  if (kind == TokenKind::Number)
    return makeNumber(random);
  if (kind == TokenKind::Word && random.chance(50))
    return random.among(kWords).str();
  return tokens[pickToken(tokens, random, kind)].text;
}

static void replaceEverywhere(std::vector<Token> &tokens, size_t old,
                              Random &random) {
  std::string before = tokens[old].text;
  std::string after = replaceToken(tokens, old, random);
  for (Token &token : tokens)
    if (token.text == before)
      token.text = after;
}

static void mutateTokens(std::vector<Token> &tokens, Random &random) {
  size_t index = pickToken(tokens, random);
  switch (random.below(8)) {
  case 0:
    tokens.erase(tokens.begin() + index);
    return;
  case 1:
    tokens.insert(tokens.begin() + index, tokens[index]);
    return;
  case 2:
    std::swap(tokens[index].text, tokens[pickToken(tokens, random)].text);
    return;
  case 3:
    tokens[index].text = replaceToken(tokens, index, random);
    return;
  case 4:
    // Sizes agree afterwards as they did before.
    replaceEverywhere(tokens, pickToken(tokens, random, TokenKind::Number),
                      random);
    return;
  case 5: {
    size_t number = pickToken(tokens, random, TokenKind::Number);
    tokens[number].text = replaceToken(tokens, number, random);
    return;
  }
  case 6: {
    size_t value = pickToken(tokens, random, TokenKind::Value);
    tokens[value].text = replaceToken(tokens, value, random);
    return;
  }
  case 7:
    replaceEverywhere(tokens, pickToken(tokens, random, TokenKind::Word),
                      random);
    return;
  }
}

/// Deletes, repeats or moves a few whole lines.
static std::string mutateLines(StringRef text, Random &random) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  size_t first = random.below(lines.size());
  size_t count = std::min<size_t>(1 + random.below(3), lines.size() - first);
  llvm::SmallVector<StringRef> span(lines.begin() + first,
                                    lines.begin() + first + count);
  bool erased = random.chance(60);
  if (erased)
    lines.erase(lines.begin() + first, lines.begin() + first + count);
  if (!erased || random.chance(50)) {
    size_t target = random.below(lines.size() + 1);
    lines.insert(lines.begin() + target, span.begin(), span.end());
  }
  return llvm::join(lines, "\n");
}

std::string fuzz::mutateText(StringRef text, Random &random) {
  std::string result = text.str();
  for (uint64_t count = 1 + random.below(2); count > 0; --count) {
    if (result.empty())
      return result;
    uint64_t style = random.below(20);
    if (style == 0) {
      result = mutateBytes(result, random);
    } else if (style < 3) {
      result = mutateLines(result, random);
    } else {
      std::vector<Token> tokens = tokenize(result);
      mutateTokens(tokens, random);
      result = join(tokens);
    }
  }
  return result;
}

std::string fuzz::mutateWord(StringRef text, Random &random) {
  std::vector<Token> tokens = tokenize(text);
  if (tokens.empty())
    return text.str();
  TokenKind kind = random.chance(70) ? TokenKind::Number : TokenKind::Word;
  size_t index = pickToken(tokens, random, kind);
  tokens[index].text = replaceToken(tokens, index, random);
  return join(tokens);
}

std::string fuzz::mutateBytes(StringRef bytes, Random &random) {
  std::string result = bytes.str();
  for (uint64_t count = 1 + random.below(3); count > 0; --count) {
    if (result.empty())
      return result;
    size_t at = random.below(result.size());
    size_t size = std::min<size_t>(1 + random.below(16), result.size() - at);
    switch (random.below(6)) {
    case 0:
      result.resize(at);
      break;
    case 1:
      result.erase(at, size);
      break;
    case 2:
      result.insert(random.below(result.size()), result.substr(at, size));
      break;
    case 3:
      result[at] = static_cast<char>(random.next());
      break;
    case 4:
      result[at] ^= static_cast<char>(1 << random.below(8));
      break;
    case 5:
      result.replace(at, size, size, static_cast<char>(random.chance(50) - 1));
      break;
    }
  }
  return result;
}
