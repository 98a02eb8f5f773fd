#include "Shape.h"

void Pen::read() { Shape::count(); }
