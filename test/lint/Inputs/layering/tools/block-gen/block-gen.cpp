#include "parablock/Generate/Config.h"
#include "parablock/InitAll.h"
#include "parablock/Judges/Reference/Interpreter.h"
