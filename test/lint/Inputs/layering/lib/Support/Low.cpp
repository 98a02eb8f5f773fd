#include "parablock/IR/BlockOps.h"
