#include "Shape.h"

double Shape::getArea() const { return 0; }

Shape::Shape() = default;

int shapes::count() { return 0; }
