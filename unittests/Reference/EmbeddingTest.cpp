//===- EmbeddingTest.cpp - token and patch embedding, head ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RunText.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;

static Tensor whole(llvm::ArrayRef<int64_t> shape, Values values) {
  return tensor(shape, std::move(values), ElementType::I64);
}

static const Tensor ids = whole({2, 3}, {4, 1, 1, 0, 3, 4});
static const Tensor table = wild({5, 4}, 1);

/// Rows `indices` of `rows`, times `scale`, added to `sum`.
static Values addRows(Values sum, const Tensor &rows, const Values &indices,
                      double scale = 1) {
  int64_t width = rows.shape[1];
  sum.resize(indices.size() * width, 0);
  for (size_t i = 0; i < indices.size(); ++i)
    for (int64_t c = 0; c < width; ++c)
      sum[i * width + c] +=
          scale * rows.data()[static_cast<int64_t>(indices[i]) * width + c];
  return sum;
}

/// `block.embedding` of %a0 in %a1 with `more` operands and attributes.
static Outcome embed(const std::string &more, const std::string &moreTypes = "",
                     std::vector<Tensor> moreArguments = {},
                     const Options &options = exact(),
                     const Tensor &tokens = ids) {
  std::vector<Tensor> arguments = {tokens, table};
  arguments.insert(arguments.end(), moreArguments.begin(), moreArguments.end());
  std::string prefix;
  if (llvm::StringRef(more).contains("%p"))
    prefix = "%p = arith.constant 2 : index\n";
  return runBody(prefix + "%r = block.embedding %a0 in %a1" + more +
                     " : (tensor<2x3xi64>, tensor<5x4xf32>" + moreTypes +
                     ") -> tensor<2x3x4xf32>",
                 "tensor<2x3x4xf32>", arguments, options);
}

TEST(EmbeddingTest, AddsRowsOfTokensAndTypes) {
  Values tokens = addRows({}, table, Values(ids.data()));
  EXPECT_THAT(embed(""), Yields(tokens)) << "rows of the table";
  EXPECT_THAT(embed(" {scale = 1.5 : f64}"),
              YieldsNear(addRows({}, table, Values(ids.data()), 1.5)))
      << "scale";

  Tensor types = wild({3, 4}, 2);
  EXPECT_THAT(embed(" type_table %a2", ", tensor<3x4xf32>", {types}),
              YieldsNear(addRows(tokens, types, {0, 0, 0, 0, 0, 0})))
      << "type 0 unless given";
  EXPECT_THAT(embed(" types %a2 type_table %a3",
                    ", tensor<2x3xi64>, tensor<3x4xf32>",
                    {whole({2, 3}, {2, 0, 1, 1, 1, 2}), types}),
              YieldsNear(addRows(tokens, types, {2, 0, 1, 1, 1, 2})))
      << "types";

  Options rounding;
  Tensor positions = wild({3, 4}, 3);
  Values sum = addRows(tokens, positions, {0, 1, 2, 0, 1, 2});
  EXPECT_TRUE([&] {
    Values rounded = sum;
    roundTo(ElementType::F32, rounded);
    return rounded != sum;
  }()) << "a sum that f32 rounds";
  roundTo(ElementType::F32, sum);
  EXPECT_THAT(
      embed(" positions %a2", ", tensor<3x4xf32>", {positions}, rounding),
      Yields(sum))
      << "one rounding, at the end";
}

TEST(EmbeddingTest, AddsPositions) {
  Values tokens = addRows({}, table, Values(ids.data()));
  Tensor positions = wild({8, 4}, 4);
  const std::string type = ", tensor<8x4xf32>";
  EXPECT_THAT(embed(" positions %a2", type, {positions}),
              YieldsNear(addRows(tokens, positions, {0, 1, 2, 0, 1, 2})))
      << "learned positions";
  EXPECT_THAT(
      embed(" positions %a2 {position_offset = 2 : i64}", type, {positions}),
      YieldsNear(addRows(tokens, positions, {2, 3, 4, 2, 3, 4})))
      << "position_offset";
  EXPECT_THAT(embed(" positions %a2 offset %p {position_offset = 1 : i64}",
                    type + ", index", {positions}),
              YieldsNear(addRows(tokens, positions, {3, 4, 5, 3, 4, 5})))
      << "offset and position_offset";
  EXPECT_THAT(embed(" positions %a2 {pad_id = 4 : i64}", type, {positions}),
              YieldsNear(addRows(tokens, positions, {4, 5, 6, 5, 6, 4})))
      << "positions count what is not padding";

  auto sinusoid = [&](bool pairs, double first) {
    Values sum = tokens;
    for (int64_t i = 0; i < 6; ++i) {
      double p = first + i % 3, slow = p / 100; // 10000^(-2/4) = 1/100
      Values added = pairs ? Values{std::sin(p), std::cos(p), std::sin(slow),
                                    std::cos(slow)}
                           : Values{std::sin(p), std::sin(slow), std::cos(p),
                                    std::cos(slow)};
      for (int64_t c = 0; c < 4; ++c)
        sum[i * 4 + c] += added[c];
    }
    return sum;
  };
  EXPECT_THAT(embed(" {sinusoid = #block.sinusoid<sin_cos_pairs>}"),
              YieldsNear(sinusoid(true, 0)))
      << "sinusoid in pairs";
  EXPECT_THAT(
      embed(" offset %p {sinusoid = #block.sinusoid<sin_then_cos>}", ", index"),
      YieldsNear(sinusoid(false, 2)))
      << "all sines first";
}

TEST(EmbeddingTest, RefusesIndicesOutsideOfTables) {
  auto tokens = [](Values values) { return whole({2, 3}, std::move(values)); };
  EXPECT_THAT(embed("", "", {}, {}, tokens({0, 1, 2, 3, 5, 4})),
              IsRefusedWith("expected ids[1, 1] to be in [0, 5), got 5"))
      << "an id beyond the table";
  EXPECT_THAT(embed("", "", {}, {}, tokens({0, 1, -1, 3, 4, 4})),
              IsRefusedWith("expected ids[0, 2] to be in [0, 5), got -1"))
      << "a negative id";
  Tensor positions = wild({2, 4}, 5);
  EXPECT_THAT(embed(" positions %a2", ", tensor<2x4xf32>", {positions}),
              IsRefusedWith(
                  "expected the position of ids[0, 2] to be in [0, 2), got 2"))
      << "a position beyond its table";
  EXPECT_THAT(embed(" positions %a2 {position_offset = "
                    "9223372036854775807 : i64}",
                    ", tensor<2x4xf32>", {positions}),
              IsRefusedWith("to be in [0, 2), got 9223372036854775808"))
      << "a position without bounds";
  EXPECT_THAT(embed(" positions %a2 {position_offset = -1 : i64}",
                    ", tensor<2x4xf32>", {positions}),
              IsRefusedWith(
                  "expected the position of ids[0, 0] to be in [0, 2), got -1"))
      << "a negative position";
  EXPECT_THAT(embed(" types %a2 type_table %a3",
                    ", tensor<2x3xi64>, tensor<2x4xf32>",
                    {tokens({0, 1, 1, 0, 0, 2}), positions}),
              IsRefusedWith("expected type_ids[1, 2] to be in [0, 2), got 2"))
      << "a type beyond its table";
  EXPECT_THAT(
      runModule("func.func @main(%i: tensor<1x?xi64>, %t: tensor<5x4xf32>, "
                "%y: tensor<1x?xi64>) -> tensor<1x?x4xf32> {\n"
                "%r = block.embedding %i in %t types %y type_table %t : "
                "(tensor<1x?xi64>, tensor<5x4xf32>, tensor<1x?xi64>, "
                "tensor<5x4xf32>) -> tensor<1x?x4xf32>\n"
                "return %r : tensor<1x?x4xf32>\n}",
                {whole({1, 2}, {0, 1}), table, whole({1, 3}, {0, 1, 0})}),
      IsRefusedWith("expected type_ids to have the shape of ids, i64 [1, 2], "
                    "got i64 [1, 3]"))
      << "types of other tokens";
  EXPECT_THAT(runBody("%r = block.embedding %a0 in %a1 {sinusoid = "
                      "#block.sinusoid<sin_cos_pairs>} : (tensor<1x1xi64>, "
                      "tensor<2x3xf32>) -> tensor<1x1x3xf32>",
                      "tensor<1x1x3xf32>",
                      {whole({1, 1}, {0}), wild({2, 3}, 6)}),
              IsRefusedWith("expected an even width for a sinusoid, got 3"))
      << "a sinusoid of odd width";
}

TEST(EmbeddingTest, EmbedsPatches) {
  // Two images of 2 channels, 4 by 6, in patches of 2 by 3: 4 patches.
  Tensor pixels = wild({2, 2, 4, 6}, 7), weight = wild({3, 2, 2, 3}, 8);
  Tensor bias = wild({3}, 9), classToken = wild({3}, 10);
  Values patches;
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t patch = 0; patch < 4; ++patch)
      for (int64_t o = 0; o < 3; ++o) {
        double sum = 0;
        for (int64_t c = 0; c < 2; ++c)
          for (int64_t i = 0; i < 2; ++i)
            for (int64_t j = 0; j < 3; ++j) {
              int64_t y = patch / 2 * 2 + i, x = patch % 2 * 3 + j;
              sum += pixels.data()[((b * 2 + c) * 4 + y) * 6 + x] *
                     weight.data()[((o * 2 + c) * 2 + i) * 3 + j];
            }
        patches.push_back(sum);
      }
  const std::string types = "(tensor<2x2x4x6xf32>, tensor<3x2x2x3xf32>";
  EXPECT_THAT(runBody("%r = block.patch_embedding %a0, %a1 : " + types +
                          ") -> tensor<2x4x3xf32>",
                      "tensor<2x4x3xf32>", {pixels, weight}, exact()),
              YieldsNear(patches))
      << "patches";

  Tensor positions = wild({5, 3}, 11);
  Values tokens;
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t n = 0; n < 5; ++n)
      for (int64_t c = 0; c < 3; ++c)
        tokens.push_back(
            positions.data()[n * 3 + c] +
            (n == 0 ? classToken.data()[c]
                    : patches[(b * 4 + n - 1) * 3 + c] + bias.data()[c]));
  auto run = [&](const Options &options) {
    return runBody("%r = block.patch_embedding %a0, %a1 bias %a2 class %a3 "
                   "positions %a4 : " +
                       types +
                       ", tensor<3xf32>, tensor<3xf32>, tensor<5x3xf32>) -> "
                       "tensor<2x5x3xf32>",
                   "tensor<2x5x3xf32>",
                   {pixels, weight, bias, classToken, positions}, options);
  };
  EXPECT_THAT(run(exact()), YieldsNear(tokens))
      << "bias, class token and positions";
  roundTo(ElementType::F32, tokens);
  EXPECT_THAT(run({}), Yields(tokens)) << "one rounding of patches";

  EXPECT_THAT(
      runModule("func.func @main(%p: tensor<1x?x2x3xf32>, %w: "
                "tensor<3x2x2x3xf32>) -> tensor<1x1x3xf32> {\n%r = "
                "block.patch_embedding %p, %w : (tensor<1x?x2x3xf32>, "
                "tensor<3x2x2x3xf32>) -> tensor<1x1x3xf32>\nreturn %r : "
                "tensor<1x1x3xf32>\n}",
                {wild({1, 3, 2, 3}, 12), weight}),
      IsRefusedWith(
          "expected dimension 1 of weight to be 3 (channels of the pixels)"))
      << "channels that only the run knows";
}

TEST(EmbeddingTest, ComputesLogits) {
  Tensor x = wild({1, 2, 4}, 13), weight = wild({3, 4}, 14),
         bias = wild({3}, 15);
  auto logits = [&](double scale, double cap, bool withBias) {
    Values result;
    for (int64_t t = 0; t < 2; ++t)
      for (int64_t v = 0; v < 3; ++v) {
        double sum = 0;
        for (int64_t k = 0; k < 4; ++k)
          sum += x.data()[t * 4 + k] * weight.data()[v * 4 + k];
        double l = scale * (sum + (withBias ? bias.data()[v] : 0));
        result.push_back(cap ? cap * std::tanh(l / cap) : l);
      }
    return result;
  };
  auto run = [&](const std::string &attributes, bool withBias,
                 const Options &options = exact()) {
    std::vector<Tensor> arguments = {x, weight};
    if (withBias)
      arguments.push_back(bias);
    return runBody(
        "%r = block.head %a0, %a1" + std::string(withBias ? " bias %a2" : "") +
            attributes + " : (tensor<1x2x4xf32>, tensor<3x4xf32>" +
            (withBias ? ", tensor<3xf32>" : "") + ") -> tensor<1x2x3xf32>",
        "tensor<1x2x3xf32>", arguments, options);
  };
  EXPECT_THAT(run("", false), YieldsNear(logits(1, 0, false))) << "head";
  EXPECT_THAT(run(" {scale = 0.25 : f64}", true),
              YieldsNear(logits(0.25, 0, true)))
      << "head with scale and bias";
  EXPECT_THAT(run(" {scale = 2.0 : f64, softcap = 1.5 : f64}", true),
              YieldsNear(logits(2, 1.5, true)))
      << "head with a soft cap";
  Values rounded = logits(2, 1.5, true);
  roundTo(ElementType::F32, rounded);
  EXPECT_THAT(run(" {scale = 2.0 : f64, softcap = 1.5 : f64}", true, {}),
              Yields(rounded))
      << "one rounding of the head";
}
