namespace parablock {
/// Not that of struct Hidden {, nor of "struct Hidden {".
template <typename T> class Part final : public Base<T> {
  struct Inner { int b; };
};
struct Forward { int c; };
} // namespace parablock
