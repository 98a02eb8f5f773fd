//===- AttentionTest.cpp - block.attention against its steps --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The description of block.attention is a list of level-2 steps. Each case
// writes them out and compares to the last bit, in bf16, so that every rounding
// point counts.
//
//===----------------------------------------------------------------------===//

#include "RunText.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;

constexpr ElementType bf16 = ElementType::BF16;

namespace {
/// Arguments under names, which both texts use.
class Case {
public:
  explicit Case(std::string name) : name(std::move(name)) {}

  /// Declares argument %`id`.
  Case &with(const std::string &id, llvm::ArrayRef<int64_t> shape) {
    return withTensor(id, wild(shape, 20 + static_cast<int>(ids.size()), bf16));
  }
  Case &withTensor(const std::string &id, Tensor tensor) {
    ids.push_back(id);
    arguments.push_back(std::move(tensor));
    return *this;
  }

  /// Runs the attention `text`, with `operands` typed, and the `steps`, which
  /// end in %r, and compares.
  void check(const std::string &attention,
             llvm::ArrayRef<const char *> operands, const std::string &steps,
             const std::string &resultType = "tensor<2x3x6xbf16>") {
    std::string types;
    for (const char *operand : operands)
      types += (types.empty() ? "" : ", ") +
               typeOf(arguments[llvm::find(ids, operand) - ids.begin()]);
    Outcome whole = run("%r = block.attention " + attention + " : (" + types +
                            ") -> " + resultType,
                        resultType);
    Outcome stepwise = run(steps, resultType);
    EXPECT_THAT(stepwise, Runs()) << name;
    EXPECT_THAT(whole, Yields(stepwise.values())) << name;
  }

private:
  Outcome run(const std::string &body, const std::string &resultType) {
    std::string text = "func.func @main(";
    for (size_t i = 0; i < ids.size(); ++i)
      text += (i ? ", %" : "%") + ids[i] + ": " + typeOf(arguments[i]);
    return runModule(text + ") -> " + resultType + " {\n" + body +
                         "\nreturn %r : " + resultType + "\n}",
                     arguments);
  }

  std::string name;
  std::vector<std::string> ids;
  std::vector<Tensor> arguments;
};
} // namespace

/// %`result` = %`input` %`weight`^T (+ %`bias`), all of [2, 3, ...].
static std::string linear(const std::string &result, const std::string &input,
                          int64_t inner, const std::string &weight,
                          int64_t width, const std::string &bias = "",
                          int64_t rows = 3) {
  std::string in = std::to_string(inner), out = std::to_string(width);
  std::string shape = "tensor<2x" + std::to_string(rows) + "x";
  return "%" + result + " = block.linear %" + input + ", %" + weight +
         (bias.empty() ? "" : " bias %" + bias) + " : (" + shape + in +
         "xbf16>, tensor<" + out + "x" + in + "xbf16>" +
         (bias.empty() ? "" : ", tensor<" + out + "xbf16>") + ") -> " + shape +
         out + "xbf16>\n";
}

/// Input of width 6; 2 query heads of 4 on 1 key head, values of 3.
static Case makeCase(const std::string &name) {
  Case aCase(name);
  aCase.with("x", {2, 3, 6})
      .with("wq", {8, 6})
      .with("wk", {4, 6})
      .with("wv", {3, 6})
      .with("wo", {6, 6});
  return aCase;
}

constexpr llvm::StringLiteral heads =
    " {heads = 2 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = "
    "0.5, causal = true>";

static std::string sdpa(const std::string &operands = "%q, %k, %v",
                        const std::string &types = "") {
  return "%s = block.sdpa " + operands + heads.str() +
         "} : (tensor<2x3x8xbf16>, tensor<2x3x4xbf16>, tensor<2x3x3xbf16>" +
         types + ") -> tensor<2x3x6xbf16>\n";
}

static const std::string projections = linear("q", "x", 6, "wq", 8) +
                                       linear("k", "x", 6, "wk", 4) +
                                       linear("v", "x", 6, "wv", 3);
static const std::string output = linear("r", "s", 6, "wo", 6);

TEST(AttentionTest, ProjectsAndClamps) {
  makeCase("plain").check("%x q %wq k %wk v %wv o %wo" + heads.str() + "}",
                          {"x", "wq", "wk", "wv", "wo"},
                          projections + sdpa() + output);

  Case biased = makeCase("biases");
  biased.with("bq", {8}).with("bk", {4}).with("bv", {3}).with("bo", {6});
  biased.check("%x q %wq k %wk v %wv o %wo q_bias %bq k_bias %bk v_bias %bv "
               "o_bias %bo" +
                   heads.str() + "}",
               {"x", "wq", "wk", "wv", "wo", "bq", "bk", "bv", "bo"},
               linear("q", "x", 6, "wq", 8, "bq") +
                   linear("k", "x", 6, "wk", 4, "bk") +
                   linear("v", "x", 6, "wv", 3, "bv") + sdpa() +
                   linear("r", "s", 6, "wo", 6, "bo"));

  makeCase("no output projection")
      .check("%x q %wq k %wk v %wv" + heads.str() + "}",
             {"x", "wq", "wk", "wv"},
             projections + sdpa() +
                 "%r = block.residual %s : (tensor<2x3x6xbf16>) -> "
                 "tensor<2x3x6xbf16>");

  makeCase("no value projection")
      .with("wide", {5, 12})
      .check("%x q %wq k %wk o %wide" + heads.str() + "}",
             {"x", "wq", "wk", "wide"},
             linear("q", "x", 6, "wq", 8) + linear("k", "x", 6, "wk", 4) +
                 "%s = block.sdpa %q, %k, %x" + heads.str() +
                 "} : (tensor<2x3x8xbf16>, tensor<2x3x4xbf16>, "
                 "tensor<2x3x6xbf16>) -> tensor<2x3x12xbf16>\n" +
                 linear("r", "s", 12, "wide", 5),
             "tensor<2x3x5xbf16>");

  auto clamp = [](const std::string &value, const std::string &width) {
    return "%" + value + " = block.clamp %" + value +
           "0 {limit = 0.5 : f64} : tensor<2x3x" + width + "xbf16>\n";
  };
  makeCase("clip").check(
      "%x q %wq k %wk v %wv o %wo" + heads.str() + ", clip = 0.5 : f64}",
      {"x", "wq", "wk", "wv", "wo"},
      linear("q0", "x", 6, "wq", 8) + linear("k0", "x", 6, "wk", 4) +
          linear("v0", "x", 6, "wv", 3) + clamp("q", "8") + clamp("k", "4") +
          clamp("v", "3") + sdpa() + output);
}

TEST(AttentionTest, NormsAndRotatesInEitherOrder) {
  const std::string form = "#block.norm<kind = layer, eps = 0.01, rounding = "
                           "before_gain>";
  const std::string rope = "#block.rope<style = interleaved, dim = 2>";
  auto norm = [&](const std::string &to, const std::string &from,
                  const std::string &width, const std::string &groups,
                  const std::string &gain, const std::string &gainWidth) {
    return "%" + to + " = block.norm %" + from + " gamma %g" + gain +
           " beta %b" + gain + " {form = " + form + ", groups = " + groups +
           " : i64} : (tensor<2x3x" + width + "xbf16>, tensor<" + gainWidth +
           "xbf16>, tensor<" + gainWidth + "xbf16>) -> tensor<2x3x" + width +
           "xbf16>\n";
  };
  auto rotate = [&](const std::string &to, const std::string &from,
                    const std::string &width, const std::string &count) {
    return "%" + to + " = block.rope %" + from + " {heads = " + count +
           " : i64, form = " + rope + "} : (tensor<2x3x" + width +
           "xbf16>) -> tensor<2x3x" + width + "xbf16>\n";
  };
  const std::string inputs = linear("q0", "x", 6, "wq", 8) +
                             linear("k0", "x", 6, "wk", 4) +
                             linear("v", "x", 6, "wv", 3);
  for (bool whole : {false, true})
    for (bool after : {false, true}) {
      std::string extent = whole ? "whole" : "head";
      std::string place = after ? "after_rope" : "before_rope";
      int64_t gainQ = whole ? 8 : 4;
      Case aCase = makeCase("qk norm: " + extent + ", " + place);
      aCase.with("gq", {gainQ})
          .with("bq", {gainQ})
          .with("gk", {4})
          .with("bk", {4});
      std::string groups = whole ? "1" : "2";
      std::string gain = std::to_string(gainQ);
      std::string steps =
          after ? rotate("q1", "q0", "8", "2") + rotate("k1", "k0", "4", "1") +
                      norm("q", "q1", "8", groups, "q", gain) +
                      norm("k", "k1", "4", "1", "k", "4")
                : norm("q1", "q0", "8", groups, "q", gain) +
                      norm("k1", "k0", "4", "1", "k", "4") +
                      rotate("q", "q1", "8", "2") + rotate("k", "k1", "4", "1");
      aCase.check("%x q %wq k %wk v %wv o %wo q_gamma %gq q_beta %bq k_gamma "
                  "%gk k_beta %bk" +
                      heads.str() + ", rope = " + rope +
                      ", qk_norm = #block.qk_norm<form = " + form +
                      ", extent = " + extent + ", place = " + place + ">}",
                  {"x", "wq", "wk", "wv", "wo", "gq", "bq", "gk", "bk"},
                  inputs + steps + sdpa() + output);
    }
}

TEST(AttentionTest, PassesOnTheOperandsOfScores) {
  Case shaped = makeCase("lengths, Shaw tables and shaped gains");
  shaped.withTensor("n", tensor({2}, {2, 3}, ElementType::I64))
      .with("sk", {3, 4})
      .with("sv", {3, 3})
      .with("a", {2})
      .with("b", {2})
      .with("c", {1});
  const std::string operands = " lengths %n shaw_key %sk shaw_value %sv alpha "
                               "%a beta %b gamma %c";
  shaped.check("%x q %wq k %wk v %wv o %wo" + operands + heads.str() + "}",
               {"x", "wq", "wk", "wv", "wo", "n", "sk", "sv", "a", "b", "c"},
               projections +
                   sdpa("%q, %k, %v" + operands,
                        ", tensor<2xi64>, tensor<3x4xbf16>, tensor<3x3xbf16>, "
                        "tensor<2xbf16>, tensor<2xbf16>, tensor<1xbf16>") +
                   output);

  Case biased = makeCase("relative table and past");
  biased.with("t", {8, 2}).with("pk", {2, 2, 4}).with("pv", {2, 2, 3});
  const std::string buckets = ", buckets = #block.buckets<max_distance = 9>}";
  biased.check(
      "%x q %wq k %wk v %wv o %wo relative %t past_key %pk past_value %pv" +
          heads.str() + ", rope = #block.rope<style = half, dim = 4>" + buckets,
      {"x", "wq", "wk", "wv", "wo", "t", "pk", "pv"},
      linear("q0", "x", 6, "wq", 8) + linear("k0", "x", 6, "wk", 4) +
          linear("v", "x", 6, "wv", 3) +
          "%one = arith.constant 1 : index\n"
          "%p = tensor.dim %pk, %one : tensor<2x2x4xbf16>\n"
          "%q = block.rope %q0 offset %p {heads = 2 : i64, form = "
          "#block.rope<style = half, dim = 4>} : (tensor<2x3x8xbf16>, index) "
          "-> tensor<2x3x8xbf16>\n"
          "%k = block.rope %k0 offset %p {heads = 1 : i64, form = "
          "#block.rope<style = half, dim = 4>} : (tensor<2x3x4xbf16>, index) "
          "-> tensor<2x3x4xbf16>\n"
          "%s = block.sdpa %q, %k, %v relative %t past_key %pk past_value %pv" +
          heads.str() + buckets +
          " : (tensor<2x3x8xbf16>, tensor<2x3x4xbf16>, tensor<2x3x3xbf16>, "
          "tensor<8x2xbf16>, tensor<2x2x4xbf16>, tensor<2x2x3xbf16>) -> "
          "tensor<2x3x6xbf16>\n" +
          output);

  Case cross("cross-attention");
  cross.with("x", {2, 3, 6})
      .with("m", {2, 5, 7})
      .with("wq", {8, 6})
      .with("wk", {4, 7})
      .with("wv", {3, 7})
      .with("wo", {6, 6})
      .withTensor("n", tensor({2}, {5, 1}, ElementType::I64));
  const std::string form = " {heads = 2 : i64, kv_heads = 1 : i64, scores = "
                           "#block.scores<scale = 0.5>}";
  cross.check("%x memory %m q %wq k %wk v %wv o %wo lengths %n" + form,
              {"x", "m", "wq", "wk", "wv", "wo", "n"},
              linear("q", "x", 6, "wq", 8) +
                  linear("k", "m", 7, "wk", 4, "", 5) +
                  linear("v", "m", 7, "wv", 3, "", 5) +
                  "%s = block.sdpa %q, %k, %v lengths %n" + form +
                  " : (tensor<2x3x8xbf16>, tensor<2x5x4xbf16>, "
                  "tensor<2x5x3xbf16>, tensor<2xi64>) -> tensor<2x3x6xbf16>\n" +
                  output);
}
