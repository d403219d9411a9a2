#include <stdbool.h>

// Takes the place of the functions that open libcurl late: here it is linked in.
bool halftone_open_curl(void) { return true; }
