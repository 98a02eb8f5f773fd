namespace parablock {
struct Part {
  int elements;
};
struct Forward;
namespace { struct Hidden { int a; }; } // namespace
} // namespace parablock
