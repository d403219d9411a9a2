#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer, which comes with the toolchain but without a header (https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library).
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *bytes, size_t count));

// A GNU extension, which Swift's module of the C library leaves out.
int memfd_create(const char *name, unsigned flags);
