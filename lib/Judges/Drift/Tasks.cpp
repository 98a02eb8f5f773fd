//===- Tasks.cpp - reads tasks and counts those that are solved -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Tasks.h"
#include "parablock/Execution/InputFacts.h"
#include "parablock/Execution/IntegerChecks.h"
#include "parablock/Execution/TensorFile.h"

#include <algorithm>
#include <set>

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef idsSuffix = ".input_ids", answersSuffix = ".answers";

std::optional<double> drift::getKeptShare(llvm::ArrayRef<TaskScore> scores) {
  std::optional<double> kept;
  for (const TaskScore &score : scores) {
    if (score.serial == 0)
      continue;
    double share =
        static_cast<double>(score.parallel) / static_cast<double>(score.serial);
    kept = std::min(kept.value_or(share), share);
  }
  return kept;
}

static Error fail(StringRef path, const Twine &problem) {
  return llvm::createStringError("--tasks: " + path + ": " + problem);
}

/// Returns the kinds of tasks of a file.
static Expected<std::set<std::string>>
listKinds(const runner::TensorFile &file) {
  std::set<std::string> kinds;
  for (const SafeTensorsEntry &entry : file.entries()) {
    StringRef name = entry.name;
    if (!name.consume_back(idsSuffix) && !name.consume_back(answersSuffix))
      return fail(file.path(), "expected tensors KIND.input_ids and "
                               "KIND.answers, got '" +
                                   entry.name + "'");
    kinds.insert(name.str());
  }
  if (kinds.empty())
    return fail(file.path(), "expected tasks, got no tensor");
  return kinds;
}

/// Loads a table of integers with rows.
static Expected<Tensor> loadTable(runner::TensorFile &file,
                                  const std::string &name) {
  runner::Port port;
  port.name = name;
  port.type = ElementType::I64;
  const SafeTensorsEntry *entry = file.lookup(name);
  if (!entry)
    return fail(file.path(), "expected a tensor '" + name + "', got none");
  if (entry->shape.size() != 2 || entry->shape[0] < 2)
    return fail(file.path(), "'" + name +
                                 "': expected two dimensions, of at least 2 "
                                 "tasks, one to choose by and one to report "
                                 "on");
  port.shape.assign(entry->shape.begin(), entry->shape.end());
  return file.load(port, entry->shape);
}

/// Returns where each answer begins and ends.
static Expected<std::vector<TokenSpan>> readSpans(StringRef path,
                                                  const std::string &kind,
                                                  const Tensor &answers,
                                                  const Tensor &ids) {
  if (answers.shape[0] != ids.shape[0] || answers.shape[1] != 2)
    return fail(path, "'" + kind + answersSuffix + "': expected shape [" +
                          Twine(ids.shape[0]) + ", 2], got [" +
                          Twine(answers.shape[0]) + ", " +
                          Twine(answers.shape[1]) + "]");
  std::vector<TokenSpan> spans;
  for (int64_t row = 0; row < ids.shape[0]; ++row) {
    llvm::ArrayRef<double> ends = getRow(answers, row);
    TokenSpan span{static_cast<int64_t>(ends[0]),
                   static_cast<int64_t>(ends[1])};
    if (span.begin < 1 || span.end <= span.begin || span.end > ids.shape[1])
      return fail(path, "'" + kind + answersSuffix + "', task " + Twine(row) +
                            ": expected an answer behind a prompt, within " +
                            Twine(ids.shape[1]) + " tokens, got " +
                            Twine(span.begin) + " to " + Twine(span.end));
    spans.push_back(span);
  }
  return spans;
}

/// Returns an error if the model cannot read the ids: out of the table, or in
/// rows that are longer than its table of positions.
static Error checkIds(const Model &model, const std::string &name,
                      const Tensor &ids) {
  Expected<runner::Signature> signature =
      runner::readSignature(model.getFunction());
  if (!signature)
    return signature.takeError();
  std::vector<runner::Shape> shapes;
  unsigned place = 0;
  for (auto [index, argument] : llvm::enumerate(signature->arguments)) {
    shapes.emplace_back(argument.shape);
    if (argument.isParameter)
      continue;
    // Ids are the only input.
    place = index;
    shapes.back() = {ids.shape[0], ids.shape[1]};
  }
  runner::InputFact fact = runner::evaluateLimits(
      runner::collectInputLimits(*signature, place), shapes);
  return runner::checkIntegers(name, fact, ids.shape, [&](size_t at) {
    return static_cast<int64_t>(ids.data()[at]);
  });
}

Expected<std::unique_ptr<TaskJudge>>
TaskJudge::create(const Model &parent, StringRef path, Split split) {
  Expected<runner::TensorFile> file = runner::TensorFile::open(path);
  if (!file)
    return file.takeError();
  Expected<std::set<std::string>> names = listKinds(*file);
  if (!names)
    return names.takeError();
  auto judge = std::make_unique<TaskJudge>();
  for (const std::string &name : *names) {
    Expected<Tensor> ids = loadTable(*file, name + idsSuffix.str());
    if (!ids)
      return ids.takeError();
    Expected<Tensor> answers = loadTable(*file, name + answersSuffix.str());
    if (!answers)
      return answers.takeError();
    Expected<std::vector<TokenSpan>> spans =
        readSpans(path, name, *answers, *ids);
    if (!spans)
      return spans.takeError();
    if (Error error = checkIds(parent, name + idsSuffix.str(), *ids))
      return llvm::joinErrors(fail(path, "tasks do not fit the model"),
                              std::move(error));
    std::vector<double> rows;
    std::vector<TokenSpan> own;
    std::vector<size_t> wanted;
    for (int64_t row = split == Split::Select ? 0 : 1; row < ids->shape[0];
         row += 2) {
      llvm::ArrayRef<double> tokens = getRow(*ids, row);
      llvm::append_range(rows, tokens);
      TokenSpan span = (*spans)[row];
      own.push_back(span);
      for (double token : tokens.slice(span.begin, span.end - span.begin))
        wanted.push_back(static_cast<size_t>(token));
    }
    auto kind =
        std::make_unique<Kind>(parent.data().withIds(rows, ids->shape[1]));
    kind->name = name;
    kind->answers = std::move(own);
    kind->wanted = std::move(wanted);
    if (Error error = parent.withData(kind->data).moveInto(kind->model))
      return error;
    if (Error error = kind->countSolved(nullptr).moveInto(kind->solved))
      return error;
    judge->kinds.push_back(std::move(kind));
  }
  return judge;
}

Expected<int64_t>
TaskJudge::Kind::countSolved(const Conversion *conversion) const {
  Expected<std::vector<size_t>> chosen =
      chooseTokens(*model, conversion, answers);
  if (!chosen)
    return chosen.takeError();
  int64_t count = 0;
  auto found = chosen->begin();
  auto right = wanted.begin();
  for (TokenSpan span : answers) {
    int64_t tokens = span.end - span.begin;
    count += std::equal(right, right + tokens, found);
    right += tokens;
    found += tokens;
  }
  return count;
}

Expected<std::vector<TaskScore>>
TaskJudge::judge(const Conversion &conversion) const {
  std::vector<TaskScore> scores;
  for (const std::unique_ptr<Kind> &kind : kinds) {
    Expected<int64_t> solved = kind->countSolved(&conversion);
    if (!solved)
      return solved.takeError();
    scores.push_back({kind->name, kind->data.numRows(), kind->solved, *solved});
  }
  return scores;
}

std::vector<std::string> TaskJudge::listUnsolved() const {
  std::vector<std::string> names;
  for (const std::unique_ptr<Kind> &kind : kinds)
    if (kind->solved == 0)
      names.push_back(kind->name);
  return names;
}
