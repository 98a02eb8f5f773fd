#include "parablock/Generate/Config.h"
#include "parablock/InitAll.h"
#include "parablock/Reference/Interpreter.h"
