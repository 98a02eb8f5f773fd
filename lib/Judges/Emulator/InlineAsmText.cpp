//===- InlineAsmText.cpp - parses assembly and binds operands -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A text is identified by the single instruction in it that a row of the table
// names; the surrounding text (a wait loop, a predicate, mapa) is part of the
// row's meaning and is checked.
//
//===----------------------------------------------------------------------===//

#include "InlineAsmText.h"
#include "Numbers.h"
#include "OpTable.h"
#include "WgmmaOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace parablock::emulator;
using llvm::StringRef;

namespace {
/// An operand in the text: `$n`, a number, or something else.
struct Token {
  enum Kind { Operand, Number, Other } kind = Other;
  int32_t value = 0;
};

class TextReader {
public:
  TextReader(const llvm::CallInst &call)
      : call(call),
        assembly(*llvm::cast<llvm::InlineAsm>(call.getCalledOperand())) {
    for (const auto &constraint : assembly.ParseConstraints())
      if (constraint.Type == llvm::InlineAsm::isOutput)
        ++numOutputs;
    text = assembly.getAsmString();
  }

  StringRef getText() const { return text; }
  unsigned getNumOutputs() const { return numOutputs; }

  /// The statement that contains `mnemonic`, without it, up to the semicolon.
  StringRef getOperands(StringRef mnemonic) const {
    StringRef rest = text.substr(text.find(mnemonic) + mnemonic.size());
    return rest.take_until([](char c) { return c == ';'; });
  }

  /// Operands separated by commas, brackets and braces left out.
  llvm::SmallVector<Token, 0> readTokens(StringRef operands) const {
    llvm::SmallVector<Token, 0> tokens;
    llvm::SmallVector<StringRef, 0> parts;
    operands.split(parts, ',');
    for (StringRef part : parts) {
      part = part.trim(" \t\n{}[]");
      Token token;
      if (part.consume_front("$")) {
        part.consume_front("{");
        if (!part.getAsInteger(10, token.value))
          token.kind = Token::Operand;
      } else if (!part.getAsInteger(10, token.value)) {
        token.kind = Token::Number;
      }
      tokens.push_back(token);
    }
    return tokens;
  }

  /// Returns the call's operand for `$n`. An output that is tied to an input
  /// represents that input.
  std::optional<unsigned> getArgument(int32_t n) const {
    if (n >= static_cast<int32_t>(numOutputs)) {
      unsigned argument = n - numOutputs;
      if (argument < call.arg_size())
        return argument;
      return std::nullopt;
    }
    auto constraints = assembly.ParseConstraints();
    unsigned argument = 0;
    for (const auto &constraint : constraints) {
      if (constraint.Type != llvm::InlineAsm::isInput)
        continue;
      int32_t tied = -1;
      if (!constraint.Codes.empty() &&
          !StringRef(constraint.Codes[0]).getAsInteger(10, tied) && tied == n)
        return argument;
      ++argument;
    }
    return std::nullopt;
  }

  /// A literal or an operand that is a constant.
  std::optional<int32_t> getConstant(const Token &token) const {
    if (token.kind == Token::Number)
      return token.value;
    if (token.kind != Token::Operand)
      return std::nullopt;
    std::optional<unsigned> argument = getArgument(token.value);
    if (!argument)
      return std::nullopt;
    if (auto *constant =
            llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(*argument)))
      return static_cast<int32_t>(constant->getSExtValue());
    return std::nullopt;
  }

private:
  const llvm::CallInst &call;
  const llvm::InlineAsm &assembly;
  unsigned numOutputs = 0;
  StringRef text;
};
} // namespace

/// Parses ".m64n128k16.f32.bf16.bf16" or ".m64n128k32.f32.e4m3.e4m3": columns
/// and format, if supported.
static bool parseWgmmaShape(StringRef shape, AsmBinding &binding) {
  unsigned columns = 0;
  if (!shape.consume_front(".m64n") || shape.consumeInteger(10, columns) ||
      columns < 8 || columns > 256 || columns % 8 != 0)
    return false;
  binding.immediates[Columns] = static_cast<int32_t>(columns);
  if (shape == "k16.f32.bf16.bf16")
    binding.immediates[Format] = BF16;
  else if (shape == "k16.f32.f16.f16")
    binding.immediates[Format] = F16;
  else if (shape == "k32.f32.e4m3.e4m3")
    binding.immediates[Format] = E4M3;
  else
    return false;
  return true;
}

/// d, a, b, scale-d, imm-scale-a, imm-scale-b [, imm-trans-a] [, imm-trans-b]:
/// registers have no transposition of A, and numbers of 8 bits have none.
static bool bindWgmma(const TextReader &reader, AsmBinding &binding) {
  StringRef mnemonic = "wgmma.mma_async.sync.aligned";
  StringRef operands = reader.getOperands(mnemonic);
  size_t space = operands.find_first_of(" \t{");
  binding.immediates.assign(numWgmmaImmediates, 0);
  if (space == StringRef::npos ||
      !parseWgmmaShape(operands.take_front(space), binding))
    return false;
  auto tokens = reader.readTokens(operands.drop_front(space));
  size_t count = static_cast<size_t>(binding.immediates[Columns]) / 2;
  // A in registers is the second group in braces.
  bool inRegisters = operands.count('{') == 2;
  size_t afterA = count + (inRegisters ? 4 : 1);
  bool isOf8Bits = binding.immediates[Format] == E4M3;
  size_t expected = afterA + (inRegisters ? 5 : 6) - (isOf8Bits ? 2 : 0);
  if (tokens.size() != expected || (isOf8Bits && inRegisters))
    return false;
  binding.immediates[AInRegisters] = inRegisters;
  for (size_t i = 0; i <= afterA; ++i) {
    if (tokens[i].kind != Token::Operand)
      return false;
    std::optional<unsigned> argument = reader.getArgument(tokens[i].value);
    if (!argument)
      return false;
    binding.operands.push_back(*argument);
  }

  // scale-d is a predicate register set from an operand, or a number.
  const Token *rest = &tokens[afterA + 1];
  if (rest[0].kind == Token::Number) {
    binding.immediates[ScaleD] = rest[0].value;
  } else {
    StringRef condition = "setp.ne.b32";
    if (!reader.getText().contains(condition))
      return false;
    auto set = reader.readTokens(reader.getOperands(condition));
    if (set.size() != 3 || set[1].kind != Token::Operand ||
        set[2].kind != Token::Number || set[2].value != 0)
      return false;
    std::optional<unsigned> argument = reader.getArgument(set[1].value);
    if (!argument)
      return false;
    binding.immediates[ScaleD] = scaleIsOperand;
    binding.operands.push_back(*argument);
  }
  auto setConstant = [&](WgmmaImmediate which, const Token &token) {
    std::optional<int32_t> value = reader.getConstant(token);
    if (value)
      binding.immediates[which] = *value;
    return value.has_value();
  };
  if (!setConstant(ScaleA, rest[1]) || !setConstant(ScaleB, rest[2]))
    return false;
  return isOf8Bits || (inRegisters ? setConstant(TransposeB, rest[3])
                                   : setConstant(TransposeA, rest[3]) &&
                                         setConstant(TransposeB, rest[4]));
}

/// All operands in the order of the call.
static void bindInOrder(const llvm::CallInst &call, AsmBinding &binding) {
  for (unsigned i = 0; i < call.arg_size(); ++i)
    binding.operands.push_back(i);
}

/// Binds the inputs of a plain instruction `mnemonic d, a, b, ...;` in order; d
/// only if there is a result.
static bool bindPlain(const TextReader &reader, StringRef mnemonic,
                      AsmBinding &binding) {
  auto tokens = reader.readTokens(reader.getOperands(mnemonic));
  unsigned numResults = reader.getNumOutputs();
  if (numResults > 1 || tokens.size() <= numResults ||
      (numResults == 1 &&
       (tokens[0].kind != Token::Operand || tokens[0].value != 0)))
    return false;
  for (const Token &token : llvm::drop_begin(tokens, numResults)) {
    std::optional<unsigned> argument;
    if (token.kind == Token::Operand)
      argument = reader.getArgument(token.value);
    if (!argument)
      return false;
    binding.operands.push_back(*argument);
  }
  return true;
}

std::optional<AsmBinding>
parablock::emulator::bindInlineAsm(const llvm::CallInst &call,
                                   std::string &reason) {
  TextReader reader(call);
  StringRef text = reader.getText().trim();
  AsmBinding binding;
  if (text.empty()) {
    bindInOrder(call, binding);
    return binding;
  }
  reason = "the emulator does not know the assembly '" +
           llvm::join(llvm::split(text, '\n'), " ") + "'";
  // Statements in the text, but for declarations.
  size_t numStatements = text.count(';') - text.count(".reg");

  if (text.contains("wgmma.mma_async.sync.aligned")) {
    binding.row = findOp("asm:wgmma.mma_async");
    // With a predicate set for it, or alone.
    if (numStatements <= 2 && bindWgmma(reader, binding))
      return binding;
    return std::nullopt;
  }
  // The instruction and two branches.
  if (text.contains("mbarrier.try_wait.parity") && numStatements == 3 &&
      text.count("bra") == 2 && call.arg_size() == 3) {
    binding.row = findOp("asm:mbarrier.try_wait.parity");
    bindInOrder(call, binding);
    return binding;
  }
  if (text.contains("mapa.shared::cluster.u32") &&
      text.contains("mbarrier.arrive.release.cluster.shared::cluster.b64") &&
      numStatements == 2 && call.arg_size() == 2) {
    binding.row = findOp("asm:mbarrier.arrive.release.cluster");
    bindInOrder(call, binding);
    return binding;
  }
  StringRef mnemonic = text.take_until([](char c) { return c == ' '; });
  binding.row = findOp(("asm:" + mnemonic).str());
  if (binding.row && numStatements == 1 && bindPlain(reader, mnemonic, binding))
    return binding;
  return std::nullopt;
}
