void writeAll(const std::string &path) {
  std::ofstream out(path);
  llvm::raw_fd_ostream os(path, error);
  FILE *file = fopen(path.c_str(), "wb");
  FILE *input = fopen(path.c_str(), "rb");
  int made = open(path.c_str(), O_CREAT | O_WRONLY, 0666);
}
