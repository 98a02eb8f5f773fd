//===- ChoiceTest.cpp - Choices survive their file ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Choice.h"
#include "Check.h"
#include "TemporaryFolder.h"
#include <cmath>

using namespace parablock;

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

int main() {
  unittest::TemporaryFolder folder;
  std::string path = folder.path("choice.json");
  CHECK_SUCCEEDS("writes", writeChoice(path, makeChoice()));
  llvm::Expected<Choice> read = readChoice(path);
  if (!CHECK_SUCCEEDS("reads", read.takeError()))
    return unittest::finish();
  Choice want = makeChoice();
  CHECK_EQUAL("model hash", read->modelHash, want.modelHash);
  CHECK("pairs in the order of the chain",
        read->chosen == (std::vector<LayerPair>{{3, false}, {4, true}}));
  CHECK("norm", read->norm == want.norm);
  CHECK("every digit of the scales",
        read->scale == want.scale &&
            read->attentionScale == want.attentionScale &&
            read->mlpScale == want.mlpScale);
  CHECK("correction", read->correction == want.correction);
  CHECK("added parameters",
        read->addedParameters.size() == 1 &&
            read->addedParameters[0].index == 4 &&
            read->addedParameters[0].operand == "down_bias" &&
            read->addedParameters[0].name == "layers.4.down.bias");
  CHECK_EQUAL("hashes", read->weightsHash + read->dataHash, "wd");
  CHECK("divergence", read->kl == want.kl);

  Choice unmeasured = makeChoice();
  unmeasured.kl.reset();
  CHECK_SUCCEEDS("writes what was not measured", writeChoice(path, unmeasured));
  CHECK("reads what was not measured", !llvm::cantFail(readChoice(path)).kl);

  // What could not be read back is not written, and an older file stays.
  std::string before = folder.read("choice.json");
  Choice wrong = makeChoice();
  wrong.kl = std::nan("");
  CHECK_FAILS("no NaN", writeChoice(path, wrong), "kl");
  wrong = makeChoice();
  wrong.scale = INFINITY;
  CHECK_FAILS("no infinite scale", writeChoice(path, wrong), "finite scales");
  wrong = makeChoice();
  wrong.chosen.push_back({4, false});
  CHECK_FAILS("no pairs that share a member", writeChoice(path, wrong),
              "pairs 4 and 4+ both need the MLP of layer 4");
  wrong = makeChoice();
  wrong.modelHash.clear();
  CHECK_FAILS("no missing hash", writeChoice(path, wrong), "model_hash");
  CHECK_EQUAL("the older file stays", folder.read("choice.json"), before);

  for (const char *name :
       {"", "+", "-1", "1-", "one", "1++", "0x1", " 1", "99999999999999999999"})
    CHECK("no name: '" + llvm::Twine(name) + "'", !LayerPair::parse(name));
  CHECK("a name", LayerPair::parse("12+") == LayerPair({12, true}));
  CHECK_EQUAL("a name, written", LayerPair({12, true}).getName(), "12+");
  return unittest::finish();
}
