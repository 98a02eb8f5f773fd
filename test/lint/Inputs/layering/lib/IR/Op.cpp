#include "../Support/Secret.h"
#include "mlir/InitAllDialects.h"
#include "parablock/IR/BlockOps.h"
#include "parablock/Support/Comparer.h"
