//===- WeightsFormTest.cpp - weights and the models they belong to --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/WeightsForm.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock::files;
using testing::HasSubstr;

static const WeightsForm original;
static const WeightsForm fitted{"0+,2", "refit", "sha256:0123456789abcdef01"};

static std::string check(const WeightsForm &required,
                         const WeightsForm &found) {
  Status failure = checkWeightsForm(required, found, "w.safetensors");
  return failure ? failure->text : "";
}

TEST(WeightsFormTest, ReadsWhatItWrites) {
  std::map<std::string, std::string> metadata{{"format", "pt"}};
  writeWeightsForm(fitted, metadata);
  EXPECT_EQ(metadata["parablock.form"], "parallel");
  EXPECT_EQ(metadata["format"], "pt");
  EXPECT_EQ(check(readWeightsForm(metadata), fitted), "");
  writeWeightsForm(original, metadata);
  EXPECT_EQ(metadata["parablock.form"], "serial");
  EXPECT_EQ(check(readWeightsForm(metadata), original), "");
}

TEST(WeightsFormTest, TakesFilesWithoutAFormForOriginal) {
  EXPECT_FALSE(readWeightsForm({}).isFitted());
  EXPECT_FALSE(readWeightsForm({{"parablock.pairs", "1"}}).isFitted());
  EXPECT_FALSE(readWeightsForm(
                   {{"parablock.pairs", "1"}, {"parablock.correction", "none"}})
                   .isFitted());
}

TEST(WeightsFormTest, RefusesFittedForOriginal) {
  EXPECT_THAT(check(original, fitted),
              HasSubstr("w.safetensors: expected original weights, got weights "
                        "of the parallel form, fitted by correction=refit to "
                        "the pairs 0+,2 of model sha256:0123456789abcdef: "
                        "give the checkpoint's own file"));
}

TEST(WeightsFormTest, RefusesOriginalForFitted) {
  EXPECT_THAT(check(fitted, original),
              HasSubstr("got original weights: give the file that block-drift "
                        "wrote as --weights-out"));
}

TEST(WeightsFormTest, RefusesOthersThatAreFitted) {
  for (WeightsForm other : {WeightsForm{"0+", "refit", fitted.model},
                            WeightsForm{"0+,2", "output-refit", fitted.model},
                            WeightsForm{"0+,2", "refit", "sha256:1123"}})
    EXPECT_THAT(check(fitted, other),
                HasSubstr("give the files that one run of block-drift wrote"));
}

TEST(WeightsFormTest, ComparesShortenedHashes) {
  EXPECT_EQ(check({"0+,2", "refit", "sha256:0123456789abcdef"}, fitted), "");
  EXPECT_EQ(check({"0+,2", "refit", ""}, fitted), "");
}
