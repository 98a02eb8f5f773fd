//===- FakeFaults.cpp - counts events, and fails one of them --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeFaults.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace parablock::fake;

bool FakeFaults::set(const std::string &text) {
  auto [name, digits] = llvm::StringRef(text).split(':');
  auto known = llvm::StringSwitch<std::optional<Kind>>(name)
                   .Case("allocation", Allocation)
                   .Case("launch", Launch)
                   .Case("call", Call)
                   .Default(std::nullopt);
  uint64_t wanted = 0;
  if (!text.empty() &&
      (!known || !llvm::to_integer(digits, wanted, 10) || wanted == 0))
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  kind = known.value_or(Call);
  number = wanted;
  for (uint64_t &count : counts)
    count = 0;
  return true;
}

bool FakeFaults::count(Kind event) {
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t now = ++counts[event];
  if (event != kind || number == 0)
    return false;
  return event == Call ? now >= number : now == number;
}

uint64_t FakeFaults::getCount(Kind event) const {
  std::lock_guard<std::mutex> lock(mutex);
  return counts[event];
}
