#pragma once
#include "CImageEncoders.h"

// Appends to the file; false if memory is out.
bool halftone_encoded_append(halftone_encoded *file, const uint8_t *bytes, size_t count);

// Keeps the first words of what went wrong; gives false, to be returned.
bool halftone_encoded_fail(halftone_encoded *file, const char *words);
