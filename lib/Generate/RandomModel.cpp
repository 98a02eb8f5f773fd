#include "parablock/Generate/Families.h"
namespace parablock::generate {
llvm::Expected<ModelSpec> makeRandomModel(uint64_t, const SizeFlags &) { return llvm::createStringError("soon"); }
}
