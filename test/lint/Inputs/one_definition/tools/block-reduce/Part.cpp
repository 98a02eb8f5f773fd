namespace parablock {
static int count() {
  struct Part { int local; };
  return 0;
}
namespace { struct Hidden { int d; }; } // namespace
enum class Kind { A, B };
namespace tool { enum class Kind { A }; struct Part { int own; }; } // namespace tool
struct Part::Inner { int again; };
} // namespace parablock
namespace parablock { enum class Kind { C }; }
