#pragma once
#include "CImageEncoders.h"

// Appends to the file; false if out of memory.
bool halftone_encoded_append(halftone_encoded *file, const uint8_t *bytes, size_t count);

// Keeps the first error message; always returns false.
bool halftone_encoded_fail(halftone_encoded *file, const char *words);
