//===- ChoiceTest.cpp - Choices survive their file ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Choice.h"
#include "TemporaryFolder.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace parablock;
using llvm::FailedWithMessage;
using llvm::Succeeded;
using testing::HasSubstr;

static Choice makeChoice() {
  Choice choice;
  choice.modelHash = "sha256:" + std::string(64, 'a');
  choice.chosen = {{4, true}, {3, false}};
  choice.norm = SecondNorm::Shared;
  choice.scale = 0.5;
  choice.attentionScale = 1.0 / 3;
  choice.mlpScale = -2.0;
  choice.correction = Correction::Refit;
  choice.addedParameters = {{4, "down_bias", "layers.4.down.bias"}};
  choice.weightsHash = "w";
  choice.dataHash = "d";
  choice.kl = 0.1;
  return choice;
}

TEST(ChoiceTest, IsReadAsItIsWritten) {
  unittest::TemporaryFolder folder;
  std::string path = folder.path("choice.json");
  EXPECT_THAT_ERROR(writeChoice(path, makeChoice()), Succeeded()) << "writes";
  llvm::Expected<Choice> read = readChoice(path);
  ASSERT_THAT_EXPECTED(read, Succeeded()) << "reads";
  Choice want = makeChoice();
  EXPECT_EQ(read->modelHash, want.modelHash) << "model hash";
  EXPECT_EQ(read->chosen, (std::vector<LayerPair>{{3, false}, {4, true}}))
      << "pairs in the order of the chain";
  EXPECT_EQ(read->norm, want.norm) << "norm";
  EXPECT_EQ(read->scale, want.scale) << "every digit of the scales";
  EXPECT_EQ(read->attentionScale, want.attentionScale)
      << "every digit of the scales";
  EXPECT_EQ(read->mlpScale, want.mlpScale) << "every digit of the scales";
  EXPECT_EQ(read->correction, want.correction) << "correction";
  ASSERT_EQ(read->addedParameters.size(), 1u) << "added parameters";
  EXPECT_EQ(read->addedParameters[0].index, 4) << "added parameters";
  EXPECT_EQ(read->addedParameters[0].operand, "down_bias")
      << "added parameters";
  EXPECT_EQ(read->addedParameters[0].name, "layers.4.down.bias")
      << "added parameters";
  EXPECT_EQ(read->weightsHash + read->dataHash, "wd") << "hashes";
  EXPECT_EQ(read->kl, want.kl) << "divergence";

  Choice unmeasured = makeChoice();
  unmeasured.kl.reset();
  EXPECT_THAT_ERROR(writeChoice(path, unmeasured), Succeeded())
      << "writes what was not measured";
  EXPECT_FALSE(llvm::cantFail(readChoice(path)).kl)
      << "reads what was not measured";
}

TEST(ChoiceTest, WhatCouldNotBeReadBackIsNotWritten) {
  unittest::TemporaryFolder folder;
  std::string path = folder.write("choice.json", "an older file");
  Choice wrong = makeChoice();
  wrong.kl = std::nan("");
  EXPECT_THAT_ERROR(writeChoice(path, wrong),
                    FailedWithMessage(HasSubstr("kl")))
      << "no NaN";
  wrong = makeChoice();
  wrong.scale = INFINITY;
  EXPECT_THAT_ERROR(writeChoice(path, wrong),
                    FailedWithMessage(HasSubstr("finite scales")))
      << "no infinite scale";
  wrong = makeChoice();
  wrong.chosen.push_back({4, false});
  EXPECT_THAT_ERROR(writeChoice(path, wrong),
                    FailedWithMessage(HasSubstr(
                        "pairs 4 and 4+ both need the MLP of layer 4")))
      << "no pairs that share a member";
  wrong = makeChoice();
  wrong.modelHash.clear();
  EXPECT_THAT_ERROR(writeChoice(path, wrong),
                    FailedWithMessage(HasSubstr("model_hash")))
      << "no missing hash";
  EXPECT_EQ(folder.read("choice.json"), "an older file");
}

TEST(ChoiceTest, ParsesNamesOfPairs) {
  for (const char *name :
       {"", "+", "-1", "1-", "one", "1++", "0x1", " 1", "99999999999999999999"})
    EXPECT_FALSE(LayerPair::parse(name)) << "'" << name << "'";
  EXPECT_EQ(LayerPair::parse("12+"), LayerPair({12, true})) << "a name";
  EXPECT_EQ(LayerPair({12, true}).getName(), "12+") << "a name, written";
}
