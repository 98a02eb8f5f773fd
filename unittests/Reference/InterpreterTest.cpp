//===- InterpreterTest.cpp - functions, faults and the observer -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NaiveAttention.h"
#include "llvm/Support/Parallel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;

constexpr llvm::StringLiteral type = "tensor<1x2x3xf32>";

static std::string addItself(const std::string &name, const std::string &of) {
  return "%" + name + " = block.residual %" + of + ", %" + of + " : (" +
         type.str() + ", " + type.str() + ") -> " + type.str() + "\n";
}

TEST(InterpreterTest, FollowsCalls) {
  Tensor x = wild({1, 2, 3}, 1);
  const std::string signature = "(%x: " + type.str() + ") -> " + type.str();
  auto call = [&](const std::string &name) {
    return "{\n%r = call @" + name + "(%x) : (" + type.str() + ") -> " +
           type.str() + "\nreturn %r : " + type.str() + "\n}\n";
  };
  Outcome called =
      runModule("func.func @main" + signature + call("twice") +
                    "func.func @twice" + signature + "{\n" +
                    addItself("r", "x") + "return %r : " + type.str() + "\n}\n",
                {x});
  Values twice(x.data());
  for (double &value : twice)
    value *= 2;
  EXPECT_THAT(called, Yields(twice)) << "a call";
  EXPECT_THAT(runModule("func.func @main" + signature + call("main"), {x}),
              IsRefusedWith("is called more than 64 levels deep"))
      << "a call without end";
  EXPECT_THAT(runModule("func.func @main" + signature + call("far") +
                            "func.func private @far(" + type.str() + ") -> " +
                            type.str(),
                        {x}),
              IsRefusedWith("'func.func' op has no body to run"))
      << "a function without a body";
}

TEST(InterpreterTest, ArgumentsMustFitTheSignature) {
  const std::string text = "func.func @main(%x: tensor<2x?xf32>) -> "
                           "tensor<2x?xf32> {\nreturn %x : tensor<2x?xf32>\n}";
  EXPECT_THAT(runModule(text, {wild({2, 3}, 1)}),
              Yields(wild({2, 3}, 1).data()))
      << "an argument returned";
  EXPECT_THAT(runModule(text, {}), IsRefusedWith("expected 1 arguments, got 0"))
      << "too few arguments";
  EXPECT_THAT(
      runModule(text, {wild({3, 3}, 1)}),
      IsRefusedWith(
          "expected argument 0 to be 'tensor<2x?xf32>', got f32 [3, 3]"))
      << "an argument of another shape";
  EXPECT_THAT(
      runModule(text, {wild({2}, 1)}),
      IsRefusedWith("expected argument 0 to be 'tensor<2x?xf32>', got f32 [2]"))
      << "an argument of another rank";
  EXPECT_THAT(
      runModule(text, {wild({2, 3}, 1, ElementType::BF16)}),
      IsRefusedWith(
          "expected argument 0 to be 'tensor<2x?xf32>', got bf16 [2, 3]"))
      << "an argument of another type";
  Tensor lying = wild({2, 3}, 1);
  lying.shape = {2, 4};
  EXPECT_THAT(
      runModule(text, {lying}),
      IsRefusedWith(
          "expected argument 0 to have the elements of f32 [2, 4], got 6"))
      << "an argument with too few elements";
}

TEST(InterpreterTest, RefusesWhatHasNoMeaning) {
  Tensor x = wild({2}, 1);
  EXPECT_THAT(
      runBody("%r = tensor.bitcast %a0 : tensor<2xf32> to tensor<2xi32>",
              "tensor<2xi32>", {x}),
      IsRefusedWith(
          "'tensor.bitcast' op has no meaning in the reference engine"))
      << "an op of no meaning";
  EXPECT_THAT(
      runBody("%r = \"some.op\"(%a0) : (tensor<2xf32>) -> "
              "tensor<2xf32>",
              "tensor<2xf32>", {x}),
      IsRefusedWith("'some.op' op has no meaning in the reference engine"))
      << "an op nobody knows";
  EXPECT_THAT(runBody("%r = tensor.empty() : tensor<2xcomplex<f32>>",
                      "tensor<2xcomplex<f32>>", {x}),
              IsRefusedWith(
                  "has a result of type 'tensor<2xcomplex<f32>>', which has no "
                  "values here"))
      << "a type of no meaning";
  EXPECT_THAT(
      runModule("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                "\"some.jump\"() [^next] : () -> ()\n^next:\nreturn %x : "
                "tensor<2xf32>\n}",
                {x}),
      IsRefusedWith(
          "has control flow, which has no meaning in the reference engine"))
      << "control flow";
  EXPECT_THAT(
      runModule("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                "\"some.end\"() : () -> ()\n}",
                {x}),
      IsRefusedWith("'some.end' op has no meaning in the reference engine"))
      << "an end that is no return";
}

TEST(InterpreterTest, RefusesSizesBeyondMemory) {
  auto empty = [](int64_t size) {
    return runModule("func.func @main() -> tensor<?x1024xf32> {\n%n = "
                     "arith.constant " +
                         std::to_string(size) +
                         " : index\n%r = tensor.empty(%n) : "
                         "tensor<?x1024xf32>\nreturn %r : "
                         "tensor<?x1024xf32>\n}",
                     {});
  };
  EXPECT_THAT(empty(3), Runs()) << "a size of the run";
  EXPECT_THAT(empty(1 << 20),
              IsRefusedWith(
                  "expected a result of at most 268435456 elements, got shape "
                  "[1048576, 1024]"))
      << "a size beyond memory";
  EXPECT_THAT(empty(INT64_MAX),
              IsRefusedWith("expected a result of at most 268435456 elements"))
      << "a size beyond numbers";
  EXPECT_THAT(empty(-1),
              IsRefusedWith(
                  "expected a result of at most 268435456 elements, got shape "
                  "[-1, 1024]"))
      << "a negative size";
  EXPECT_THAT(runModule("func.func @main() -> tensor<1048576x1024xf32> {\n"
                        "%r = arith.constant dense<0.0> : "
                        "tensor<1048576x1024xf32>\nreturn %r : "
                        "tensor<1048576x1024xf32>\n}",
                        {}),
              IsRefusedWith("expected a result of at most 268435456 elements"))
      << "a constant beyond memory";
}

/// Attention of [?, ?, 4] with one head, past and gains.
static Outcome runHidden(const Tensor &query, const Tensor &key,
                         const Tensor &value, const Values &lengths,
                         const Tensor &pastKey, const Tensor &pastValue,
                         bool alpha = false) {
  const std::string hidden = "tensor<?x?x4xf32>";
  std::string operands = "lengths %n ", types = "tensor<?xi64>, ";
  if (alpha) {
    operands += "alpha %a ";
    types += "tensor<1xf32>, ";
  }
  return runModule(
      "func.func @main(%q: " + hidden + ", %k: " + hidden + ", %v: " + hidden +
          ", %n: tensor<?xi64>, %pk: " + hidden + ", %pv: " + hidden +
          ", %a: tensor<1xf32>) -> " + hidden +
          " {\n%r = block.sdpa %q, %k, "
          "%v " +
          operands +
          "past_key %pk past_value %pv {heads = 1 : i64, kv_heads = 1 : i64, "
          "scores = #block.scores<scale = 1.0>} : (" +
          hidden + ", " + hidden + ", " + hidden + ", " + types + hidden +
          ", " + hidden + ") -> " + hidden + "\nreturn %r : " + hidden + "\n}",
      {query, key, value,
       tensor({static_cast<int64_t>(lengths.size())}, lengths,
              ElementType::I64),
       pastKey, pastValue, wild({1}, 9)});
}

TEST(InterpreterTest, SizesOfTheRunMustAgree) {
  Tensor rows = wild({2, 3, 4}, 1), past = wild({2, 1, 4}, 2);
  auto run = [&](const Tensor &key, const Tensor &value, const Values &lengths,
                 const Tensor &pastKey, const Tensor &pastValue,
                 bool alpha = false) {
    return runHidden(rows, key, value, lengths, pastKey, pastValue, alpha);
  };
  EXPECT_THAT(run(rows, rows, {3, 0}, past, past), Runs())
      << "sizes that agree";
  EXPECT_THAT(
      run(wild({1, 3, 4}, 1), rows, {3, 0}, past, past),
      IsRefusedWith("expected dimension 0 of key to be 2 (batch of the query)"))
      << "keys of another batch";
  EXPECT_THAT(run(rows, wild({1, 3, 4}, 1), {3, 0}, past, past),
              IsRefusedWith(
                  "expected dimension 0 of value to be 2 (batch of the query)"))
      << "values of another batch";
  EXPECT_THAT(
      run(rows, wild({2, 2, 4}, 1), {3, 0}, past, past),
      IsRefusedWith("expected dimension 1 of value to be 3 (rows of the key)"))
      << "fewer values than keys";
  EXPECT_THAT(
      run(rows, rows, {3}, past, past),
      IsRefusedWith(
          "expected dimension 0 of lengths to be 2 (one per batch row)"))
      << "too few lengths";
  EXPECT_THAT(run(rows, rows, {3, 4}, past, past),
              IsRefusedWith("expected lengths[1] to be in [0, 3], got 4"))
      << "a length beyond the rows";
  EXPECT_THAT(run(rows, rows, {-1, 3}, past, past),
              IsRefusedWith("expected lengths[0] to be in [0, 3], got -1"))
      << "a negative length";
  EXPECT_THAT(run(rows, rows, {3, 0}, wild({1, 1, 4}, 1), past),
              IsRefusedWith("expected dimension 0 of past_key to be 2"))
      << "a past of another batch";
  EXPECT_THAT(
      run(rows, rows, {3, 0}, past, wild({2, 0, 4}, 1)),
      IsRefusedWith(
          "expected dimension 1 of past_value to be 1 (rows of past_key)"))
      << "past keys without values";
  EXPECT_THAT(run(rows, rows, {3, 0}, past, past, true), Runs())
      << "alpha with a key per query";
  Tensor two = wild({2, 2, 4}, 1);
  EXPECT_THAT(run(two, two, {1, 0}, past, past, true),
              IsRefusedWith(
                  "expected dimension 1 of key to be 3 (rows of the query, as "
                  "there is an alpha)"))
      << "alpha without a key per query";

  Attention attention = makeAttention();
  attention.relativeTable = wild({1, 2}, 3);
  EXPECT_THAT(
      attention.run(),
      IsRefusedWith("expected relative_table to have at least 2 rows, got 1"))
      << "too few buckets";
  attention.bidirectional = true;
  attention.relativeTable = wild({3, 2}, 3);
  EXPECT_THAT(
      attention.run(),
      IsRefusedWith("expected relative_table to have at least 4 rows, got 3"))
      << "too few buckets for two sides";
  attention.relativeTable = wild({32, 2}, 3);
  attention.maxDistance = 8;
  EXPECT_THAT(attention.run(),
              IsRefusedWith(
                  "expected max_distance to be more than the 8 distances that "
                  "have a bucket each, got 8"))
      << "no distance left for the last buckets";
  attention = makeAttention();
  attention.causal = true;
  attention.alibiMax = 8;
  attention.scale = 1;
  EXPECT_THAT(
      runBody("%r = block.sdpa %a0, %a1, %a2 {heads = 2 : i64, "
              "kv_heads = 1 : i64, scores = #block.scores<scale = "
              "1.0, causal = true, alibi_max = 8.0, alibi_type = "
              "f128>} : (tensor<2x5x8xf32>, tensor<2x5x4xf32>, "
              "tensor<2x5x3xf32>) -> tensor<2x5x6xf32>",
              "tensor<2x5x6xf32>",
              {attention.query, attention.key, attention.value}),
      IsRefusedWith(
          "expected alibi_type to be f64, f32, bf16 or f16, got 'f128'"))
      << "an ALiBi type without values";
}

TEST(InterpreterTest, RunsOverNothing) {
  for (auto [batch, tokens] : {std::pair<int64_t, int64_t>(0, 3), {2, 0}}) {
    Tensor rows = wild({batch, tokens, 4}, 1), past = wild({batch, 0, 4}, 1);
    Outcome outcome =
        runHidden(rows, rows, rows, Values(batch, 0.0), past, past);
    EXPECT_THAT(outcome, Runs()) << "attention over nothing";
    EXPECT_EQ(outcome.results[0].shape, rows.shape) << "attention over nothing";
  }
  Tensor nothing = wild({1LL << 40, 0, 4}, 1);
  EXPECT_THAT(
      runModule("func.func @main(%x: tensor<?x?x4xf32>) -> "
                "tensor<?x?x4xf32> {\n%n = block.norm %x {form = "
                "#block.norm<kind = rms, eps = 1.0>} : (tensor<?x?x4xf32>) "
                "-> tensor<?x?x4xf32>\n%r = block.rope %n {heads = 1 : i64, "
                "form = #block.rope<style = half, dim = 4>} : "
                "(tensor<?x?x4xf32>) -> tensor<?x?x4xf32>\nreturn %r : "
                "tensor<?x?x4xf32>\n}",
                {nothing}),
      Runs())
      << "no loop over empty batches";
}

TEST(InterpreterTest, TheObserverSeesEveryOpOnce) {
  std::string seen;
  Options options;
  options.observer = [&](mlir::Operation *op, llvm::ArrayRef<Tensor> results) {
    seen += op->getName().getStringRef().str() + " " +
            std::to_string(results.size()) + "\n";
  };
  Tensor x = wild({1, 2, 3}, 1);
  Outcome outcome = runBody(
      "%h = block.layer \"h.0\" at 0 -> " + type.str() + " {\n" +
          addItself("i", "a0") + "block.yield %i : " + type.str() +
          "\n}\n%m, %v = block.norm_stats %h centered : (" + type.str() +
          ") -> (tensor<1x2x1xf32>, tensor<1x2x1xf32>)\n" + addItself("r", "h"),
      type, {x}, options);
  EXPECT_THAT(outcome, Runs()) << "the observed run";
  EXPECT_EQ(seen, "block.residual 1\nblock.layer 1\nblock.norm_stats 2\n"
                  "block.residual 1\n")
      << "every op is seen once its results are there";
}

/// A value that is not used again is freed: with it, its elements.
TEST(InterpreterTest, ValuesDieWithTheirLastUse) {
  Tensor x = wild({1, 2, 3}, 1);
  std::vector<std::weak_ptr<const Values>> made;
  size_t mostAlive = 0;
  Options options;
  options.observer = [&](mlir::Operation *, llvm::ArrayRef<Tensor> results) {
    made.push_back(results.front().values);
    size_t alive = llvm::count_if(
        made, [](const auto &values) { return !values.expired(); });
    mostAlive = std::max(mostAlive, alive);
  };
  std::string chain = addItself("v0", "a0");
  for (int i = 1; i < 10; ++i)
    chain += addItself("v" + std::to_string(i), "v" + std::to_string(i - 1));
  Outcome outcome = runBody(chain + addItself("r", "v9"), type, {x}, options);
  EXPECT_THAT(outcome, Runs()) << "the chain runs";
  EXPECT_EQ(made.size(), 11) << "the chain runs";
  EXPECT_EQ(mostAlive, 1u) << "a value dies with its last use";
}

/// The threads of the process are made once, with the first use: more than one,
/// whatever the machine has.
static const bool hasThreads = [] {
  llvm::parallel::strategy = llvm::hardware_concurrency(3);
  return true;
}();

/// The numbers do not depend on the number of threads.
TEST(InterpreterTest, ThreadsDoNotChangeNumbers) {
  Tensor x = wild({2, 40, 96}, 1), weight = wild({96, 96}, 2);
  auto run = [&] {
    return runBody("%r = block.attention %a0 q %a1 k %a1 v %a1 o %a1 {heads = "
                   "4 : i64, kv_heads = 4 : i64, scores = #block.scores<scale "
                   "= 0.1>} : (tensor<2x40x96xf32>, tensor<96x96xf32>, "
                   "tensor<96x96xf32>, tensor<96x96xf32>, tensor<96x96xf32>) "
                   "-> tensor<2x40x96xf32>",
                   "tensor<2x40x96xf32>", {x, weight}, exact())
        .values();
  };
  ASSERT_TRUE(hasThreads);
  llvm::parallel::strategy = llvm::hardware_concurrency(1);
  Values alone = run();
  llvm::parallel::strategy = llvm::hardware_concurrency(3);
  EXPECT_FALSE(alone.empty()) << "there are numbers to compare";
  EXPECT_EQ(run(), alone) << "threads do not change numbers";
}

TEST(InterpreterTest, RoundingsCanBeDrawn) {
  const std::string bf16 = "tensor<8x32xbf16>";
  Tensor x = wild({8, 32}, 1, ElementType::BF16);
  // A block op, one that is none, and the body of one.
  const std::string sources[] = {
      "%r = block.activation %a0 {kind = #block.activation<tanh>} : " + bf16,
      "%r = arith.mulf %a0, %a0 : " + bf16,
      "%e = tensor.empty() : " + bf16 + "\n%r = linalg.map ins(%a0 : " + bf16 +
          ") outs(%e : " + bf16 +
          ") (%v: bf16, %o: bf16) {\n%s = arith.mulf %v, %v : bf16\n"
          "%t = arith.mulf %s, %v : bf16\nlinalg.yield %t : bf16\n}"};
  for (const std::string &source : sources) {
    auto run = [&](std::optional<uint64_t> seed) {
      Options options;
      options.roundingSeed = seed;
      return runBody(source, bf16, {x}, options);
    };
    Outcome nearest = run(std::nullopt), drawn = run(1);
    ASSERT_THAT(nearest, Runs());
    ASSERT_THAT(drawn, Runs());
    EXPECT_THAT(run(1), Yields(drawn.values())) << source;
    EXPECT_NE(drawn.values(), nearest.values()) << source;
    EXPECT_NE(drawn.values(), run(2).values()) << source;
    double off = 0;
    for (auto [a, b] : llvm::zip_equal(nearest.values(), drawn.values())) {
      EXPECT_EQ(roundToBF16(b), b) << source;
      off = std::max(off, std::fabs(a - b) / std::fabs(a));
    }
    EXPECT_LT(off, 0.03) << source;
  }
}
