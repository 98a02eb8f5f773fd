#include "parablock/Generate/Families.h"
namespace parablock::generate {
llvm::Expected<ModelSpec> makeRandomModel(uint64_t, const SizeFlags &) { return llvm::createStringError("soon"); }
}
#include "parablock/Generate/Config.h"
namespace parablock::generate {
__attribute__((weak)) llvm::Expected<ModelSpec> readConfig(llvm::StringRef, std::optional<int64_t>) { return llvm::createStringError("soon"); }
}
