#pragma once
// The names of the library for bytes end in _8; without the width there are none.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
