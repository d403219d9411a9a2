#pragma once
/* SHA-256 for Swift, from the library that libcurl's TLS brings along, or from macOS itself. */
#include <stddef.h>

#if defined(__APPLE__)
#include <CommonCrypto/CommonDigest.h>

static inline int halftone_sha256(const void *bytes, size_t count, unsigned char *digest) {
    CC_SHA256_CTX context;
    CC_SHA256_Init(&context);
    /* Lengths are 32 bits there. */
    for (const unsigned char *next = bytes; count > 0;) {
        CC_LONG part = count > 1u << 30 ? 1u << 30 : (CC_LONG)count;
        CC_SHA256_Update(&context, next, part);
        next += part;
        count -= part;
    }
    return CC_SHA256_Final(digest, &context);
}
#else
#include <openssl/evp.h>

static inline int halftone_sha256(const void *bytes, size_t count, unsigned char *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_sha256(), NULL);
}
#endif
