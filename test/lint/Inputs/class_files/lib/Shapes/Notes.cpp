#include "Shape.h"

// Shape::getName() is elsewhere.
void Pen::press() {}
