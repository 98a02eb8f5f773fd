#ifndef WRONG
#define WRONG
using namespace mlir;
#endif
