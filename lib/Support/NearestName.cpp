//===- NearestName.cpp - edit distances of names --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/NearestName.h"

using llvm::StringRef;

StringRef parablock::findNearestName(StringRef given,
                                     llvm::ArrayRef<StringRef> names) {
  StringRef nearest;
  unsigned distance = 3;
  for (StringRef name : names) {
    unsigned own =
        given.edit_distance(name, /*AllowReplacements=*/true, distance);
    if (own < distance) {
      distance = own;
      nearest = name;
    }
  }
  return nearest;
}
