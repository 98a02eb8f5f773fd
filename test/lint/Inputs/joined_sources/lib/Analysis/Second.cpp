// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define LIMIT 2
#define SAME(x) \
  (x)
#define PASSING 2

using Rows = std::vector<long>;
using Column = std::vector<int>;
constexpr int kMost = 2;

namespace {
class Part final {
  static int first;
  static int get(int x) { return 1; }
};
int count(int a, Value b) { return a; }
} // namespace

static int measure(long first) { return 1; }

namespace parablock {
static bool isRow(const std::map<int, int> &other) { return false; }
} // namespace parablock
static int unit = 1;
