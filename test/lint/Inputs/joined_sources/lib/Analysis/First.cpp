// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equal names are mistakes but for those that the comments name.
#define LIMIT 1
// Equal macros.
#define SAME(x) \
  (x)
// Undefined again.
#define PASSING 1
#undef PASSING

using Rows = std::vector<int>;
// Equal aliases.
using Column = std::vector<int>;
static constexpr int kMost = 1;

namespace {
struct Part {
  // In a type.
  static int first;
  static int get(int x) { return x; }
};
} // namespace

static int count(int first, Value value) { return first; }
// Overloads.
static int measure(int first) { return first; }
// Seen by other files, or declared there.
int total(int first) { return first; }

namespace parablock {
namespace {
bool isRow(const std::map<int, int> &row) { return true; }
} // namespace
// In another namespace.
static int unit = 1;
} // namespace parablock
