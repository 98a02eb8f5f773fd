//===- Tasks.h - tasks that models solve ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A task is a prompt and the tokens of its one right answer. A model solves it
// if its greedy continuation of the prompt begins with the answer, which one
// run on prompt and answer together shows.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_TASKS_H
#define PARABLOCK_LIB_DRIFT_TASKS_H

#include "Generation.h"

namespace parablock::drift {

/// Tasks of one kind that both models solve.
struct TaskScore {
  std::string kind;
  int64_t tasks = 0, serial = 0, parallel = 0;
};

/// Returns the number of tasks that the converted model solves over that of the
/// serial model, for the kind where it is smallest; none if the serial model
/// solves none of any kind.
std::optional<double> getKeptShare(llvm::ArrayRef<TaskScore> scores);

/// Tasks of a file, of all kinds, for one split.
class TaskJudge {
public:
  /// Reads `path`, which has `KIND.input_ids`, prompts and answers, and
  /// `KIND.answers`, where the answer of each row begins and ends. Even rows
  /// are for choosing, odd ones for reporting. The model must have no obstacle
  /// to generation.
  static llvm::Expected<std::unique_ptr<TaskJudge>>
  create(const Model &model, llvm::StringRef path, Split split);

  llvm::Expected<std::vector<TaskScore>>
  judge(const Conversion &conversion) const;

  /// Returns the kinds of which the serial model solves no task.
  std::vector<std::string> listUnsolved() const;

private:
  /// Tasks of one kind, and the model that runs on them.
  struct Kind {
    explicit Kind(Dataset data) : data(std::move(data)) {}
    llvm::Expected<int64_t> countSolved(const Conversion *conversion) const;

    std::string name;
    Dataset data;
    std::vector<TokenSpan> answers;
    /// The tokens of the answers, as chooseTokens returns them.
    std::vector<size_t> wanted;
    std::unique_ptr<Model> model;
    int64_t solved = 0;
  };
  std::vector<std::unique_ptr<Kind>> kinds;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_TASKS_H
