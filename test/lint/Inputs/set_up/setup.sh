packages=(clang-22 cmake llvm-22-dev libmlir-22-dev
          libeigen3-dev)
test_packages=(libgtest-dev libgmock-dev)
