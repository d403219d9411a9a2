#pragma once
/* SHA-256 and Base64 for Swift, from the library that libcurl's TLS brings along. */
#include <openssl/evp.h>
#include <stddef.h>

static inline int halftone_sha256(const void *bytes, size_t count, unsigned char *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_sha256(), NULL);
}
