#include "encoded.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void halftone_encoded_free(halftone_encoded *file) {
    free(file->bytes);
    file->bytes = NULL;
    file->count = file->capacity = 0;
}

bool halftone_encoded_append(halftone_encoded *file, const uint8_t *bytes, size_t count) {
    if (file->capacity - file->count < count) {
        size_t capacity = (file->count + count) * 2;
        uint8_t *grown = realloc(file->bytes, capacity);
        if (!grown) return false;
        file->bytes = grown;
        file->capacity = capacity;
    }
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
    return true;
}

bool halftone_encoded_fail(halftone_encoded *file, const char *words) {
    if (!file->error[0]) snprintf(file->error, sizeof file->error, "%s", words);
    return false;
}
