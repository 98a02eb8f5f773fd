//===- InterpreterTest.cpp - functions, faults and the observer -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NaiveAttention.h"
#include "llvm/Support/Parallel.h"

using namespace parablock;
using namespace parablock::unittest;

constexpr llvm::StringLiteral type = "tensor<1x2x3xf32>";

static std::string addItself(const std::string &name, const std::string &of) {
  return "%" + name + " = block.residual %" + of + ", %" + of + " : (" +
         type.str() + ", " + type.str() + ") -> " + type.str() + "\n";
}

static void testCalls() {
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
  CHECK_SAME("a call", called, twice);
  CHECK_REFUSED("a call without end",
                runModule("func.func @main" + signature + call("main"), {x}),
                "is called more than 64 levels deep");
  CHECK_REFUSED("a function without a body",
                runModule("func.func @main" + signature + call("far") +
                              "func.func private @far(" + type.str() + ") -> " +
                              type.str(),
                          {x}),
                "'func.func' op has no body to run");
}

static void testArguments() {
  const std::string text = "func.func @main(%x: tensor<2x?xf32>) -> "
                           "tensor<2x?xf32> {\nreturn %x : tensor<2x?xf32>\n}";
  CHECK_SAME("an argument returned", runModule(text, {wild({2, 3}, 1)}),
             wild({2, 3}, 1).data());
  CHECK_REFUSED("too few arguments", runModule(text, {}),
                "expected 1 arguments, got 0");
  CHECK_REFUSED("an argument of another shape",
                runModule(text, {wild({3, 3}, 1)}),
                "expected argument 0 to be 'tensor<2x?xf32>', got f32 [3, 3]");
  CHECK_REFUSED("an argument of another rank", runModule(text, {wild({2}, 1)}),
                "expected argument 0 to be 'tensor<2x?xf32>', got f32 [2]");
  CHECK_REFUSED("an argument of another type",
                runModule(text, {wild({2, 3}, 1, ElementType::BF16)}),
                "expected argument 0 to be 'tensor<2x?xf32>', got bf16 [2, 3]");
  Tensor lying = wild({2, 3}, 1);
  lying.shape = {2, 4};
  CHECK_REFUSED(
      "an argument with too few elements", runModule(text, {lying}),
      "expected argument 0 to have the elements of f32 [2, 4], got 6");
}

static void testNoMeaning() {
  Tensor x = wild({2}, 1);
  CHECK_REFUSED(
      "an op of no meaning",
      runBody("%r = tensor.bitcast %a0 : tensor<2xf32> to tensor<2xi32>",
              "tensor<2xi32>", {x}),
      "'tensor.bitcast' op has no meaning in the reference engine");
  CHECK_REFUSED("an op nobody knows",
                runBody("%r = \"some.op\"(%a0) : (tensor<2xf32>) -> "
                        "tensor<2xf32>",
                        "tensor<2xf32>", {x}),
                "'some.op' op has no meaning in the reference engine");
  CHECK_REFUSED("a type of no meaning",
                runBody("%r = tensor.empty() : tensor<2xcomplex<f32>>",
                        "tensor<2xcomplex<f32>>", {x}),
                "has a result of type 'tensor<2xcomplex<f32>>', which has no "
                "values here");
  CHECK_REFUSED(
      "control flow",
      runModule("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                "\"some.jump\"() [^next] : () -> ()\n^next:\nreturn %x : "
                "tensor<2xf32>\n}",
                {x}),
      "has control flow, which has no meaning in the reference engine");
  CHECK_REFUSED(
      "an end that is no return",
      runModule("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                "\"some.end\"() : () -> ()\n}",
                {x}),
      "'some.end' op has no meaning in the reference engine");
}

static void testSizes() {
  auto empty = [](int64_t size) {
    return runModule("func.func @main() -> tensor<?x1024xf32> {\n%n = "
                     "arith.constant " +
                         std::to_string(size) +
                         " : index\n%r = tensor.empty(%n) : "
                         "tensor<?x1024xf32>\nreturn %r : "
                         "tensor<?x1024xf32>\n}",
                     {});
  };
  CHECK("a size of the run", empty(3).ok());
  CHECK_REFUSED("a size beyond memory", empty(1 << 20),
                "expected a result of at most 268435456 elements, got shape "
                "[1048576, 1024]");
  CHECK_REFUSED("a size beyond numbers", empty(INT64_MAX),
                "expected a result of at most 268435456 elements");
  CHECK_REFUSED("a negative size", empty(-1),
                "expected a result of at most 268435456 elements, got shape "
                "[-1, 1024]");
  CHECK_REFUSED("a constant beyond memory",
                runModule("func.func @main() -> tensor<1048576x1024xf32> {\n"
                          "%r = arith.constant dense<0.0> : "
                          "tensor<1048576x1024xf32>\nreturn %r : "
                          "tensor<1048576x1024xf32>\n}",
                          {}),
                "expected a result of at most 268435456 elements");
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

static void testHiddenSizes() {
  Tensor rows = wild({2, 3, 4}, 1), past = wild({2, 1, 4}, 2);
  auto run = [&](const Tensor &key, const Tensor &value, const Values &lengths,
                 const Tensor &pastKey, const Tensor &pastValue,
                 bool alpha = false) {
    return runHidden(rows, key, value, lengths, pastKey, pastValue, alpha);
  };
  CHECK("sizes that agree", run(rows, rows, {3, 0}, past, past).ok());
  CHECK_REFUSED("keys of another batch",
                run(wild({1, 3, 4}, 1), rows, {3, 0}, past, past),
                "expected dimension 0 of key to be 2 (batch of the query)");
  CHECK_REFUSED("values of another batch",
                run(rows, wild({1, 3, 4}, 1), {3, 0}, past, past),
                "expected dimension 0 of value to be 2 (batch of the query)");
  CHECK_REFUSED("fewer values than keys",
                run(rows, wild({2, 2, 4}, 1), {3, 0}, past, past),
                "expected dimension 1 of value to be 3 (rows of the key)");
  CHECK_REFUSED("too few lengths", run(rows, rows, {3}, past, past),
                "expected dimension 0 of lengths to be 2 (one per batch row)");
  CHECK_REFUSED("a length beyond the rows", run(rows, rows, {3, 4}, past, past),
                "expected lengths[1] to be in [0, 3], got 4");
  CHECK_REFUSED("a negative length", run(rows, rows, {-1, 3}, past, past),
                "expected lengths[0] to be in [0, 3], got -1");
  CHECK_REFUSED("a past of another batch",
                run(rows, rows, {3, 0}, wild({1, 1, 4}, 1), past),
                "expected dimension 0 of past_key to be 2");
  CHECK_REFUSED(
      "past keys without values",
      run(rows, rows, {3, 0}, past, wild({2, 0, 4}, 1)),
      "expected dimension 1 of past_value to be 1 (rows of past_key)");
  CHECK("alpha with a key per query",
        run(rows, rows, {3, 0}, past, past, true).ok());
  Tensor two = wild({2, 2, 4}, 1);
  CHECK_REFUSED("alpha without a key per query",
                run(two, two, {1, 0}, past, past, true),
                "expected dimension 1 of key to be 3 (rows of the query, as "
                "there is an alpha)");

  Attention attention = makeAttention();
  attention.relativeTable = wild({1, 2}, 3);
  CHECK_REFUSED("too few buckets", attention.run(),
                "expected relative_table to have at least 2 rows, got 1");
  attention.bidirectional = true;
  attention.relativeTable = wild({3, 2}, 3);
  CHECK_REFUSED("too few buckets for two sides", attention.run(),
                "expected relative_table to have at least 4 rows, got 3");
  attention.relativeTable = wild({32, 2}, 3);
  attention.maxDistance = 8;
  CHECK_REFUSED("no distance left for the last buckets", attention.run(),
                "expected max_distance to be more than the 8 distances that "
                "have a bucket each, got 8");
  attention = makeAttention();
  attention.causal = true;
  attention.alibiMax = 8;
  attention.scale = 1;
  CHECK_REFUSED("an ALiBi type without values",
                runBody("%r = block.sdpa %a0, %a1, %a2 {heads = 2 : i64, "
                        "kv_heads = 1 : i64, scores = #block.scores<scale = "
                        "1.0, causal = true, alibi_max = 8.0, alibi_type = "
                        "f128>} : (tensor<2x5x8xf32>, tensor<2x5x4xf32>, "
                        "tensor<2x5x3xf32>) -> tensor<2x5x6xf32>",
                        "tensor<2x5x6xf32>",
                        {attention.query, attention.key, attention.value}),
                "expected alibi_type to be f64, f32, bf16 or f16, got 'f128'");
}

static void testEmptySizes() {
  for (auto [batch, tokens] : {std::pair<int64_t, int64_t>(0, 3), {2, 0}}) {
    Tensor rows = wild({batch, tokens, 4}, 1), past = wild({batch, 0, 4}, 1);
    Outcome outcome =
        runHidden(rows, rows, rows, Values(batch, 0.0), past, past);
    CHECK("attention over nothing",
          outcome.ok() && outcome.results[0].shape == rows.shape);
  }
  Tensor nothing = wild({1LL << 40, 0, 4}, 1);
  CHECK("no loop over empty batches",
        runModule("func.func @main(%x: tensor<?x?x4xf32>) -> "
                  "tensor<?x?x4xf32> {\n%n = block.norm %x {form = "
                  "#block.norm<kind = rms, eps = 1.0>} : (tensor<?x?x4xf32>) "
                  "-> tensor<?x?x4xf32>\n%r = block.rope %n {heads = 1 : i64, "
                  "form = #block.rope<style = half, dim = 4>} : "
                  "(tensor<?x?x4xf32>) -> tensor<?x?x4xf32>\nreturn %r : "
                  "tensor<?x?x4xf32>\n}",
                  {nothing})
            .ok());
}

static void testObserver() {
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
  CHECK("the observed run", outcome.ok());
  CHECK_EQUAL("every op is seen once its results are there", seen,
              "block.residual 1\nblock.layer 1\nblock.norm_stats 2\n"
              "block.residual 1\n");
}

/// A value that is not used again is freed: with it, its elements.
static void testLifetimes() {
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
  CHECK("the chain runs", outcome.ok() && made.size() == 11);
  CHECK_EQUAL("a value dies with its last use", mostAlive, size_t(1));
}

/// The numbers do not depend on the number of threads.
static void testThreads() {
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
  llvm::parallel::strategy = llvm::hardware_concurrency(1);
  Values alone = run();
  llvm::parallel::strategy = llvm::hardware_concurrency(3);
  CHECK("there are numbers to compare", !alone.empty());
  CHECK("threads do not change numbers", run() == alone);
}

int main() {
  testCalls();
  testArguments();
  testNoMeaning();
  testSizes();
  testHiddenSizes();
  testEmptySizes();
  testObserver();
  testLifetimes();
  testThreads();
  return finish();
}
