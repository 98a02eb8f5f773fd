#include "../Support/Secret.h"
#include "mlir/InitAllDialects.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Support/Comparer.h"
