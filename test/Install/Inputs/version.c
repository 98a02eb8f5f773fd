/* Prints the version of the compiler, and what the launcher says of no package. */
#include "parablock-c/Context.h"
#include "parablock-launch/Launch.h"
#include <stdio.h>

int main(void) {
  pbl_error error;
  pbl_package *package = pbl_package_open("absent.pbk", &error);
  printf("compiler %s, launcher: %s\n", parablockVersion(),
         package ? "a package" : error.message);
  return package != NULL;
}
