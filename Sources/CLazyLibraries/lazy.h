#pragma once
#include "CLazyLibraries.h"
#include <stdatomic.h>
#include <stddef.h>

// Returns the function `name` of `library`, looked up once; threads that look it up at the same time find the same address.
static inline void *halftone_lazy(_Atomic(void *) *place, halftone_library library, const char *name) {
    void *function = atomic_load_explicit(place, memory_order_acquire);
    if (!function && halftone_load(library, (halftone_function[]){{name, &function}, {0}}))
        atomic_store_explicit(place, function, memory_order_release);
    return function;
}

#define FOUND(name) \
    static _Atomic(void *) place; \
    __typeof__(&name) function = (__typeof__(&name))halftone_lazy(&place, LIBRARY, #name);

// A function of no to four parameters, whose types follow its name.
#define LAZY0(type, name) type name(void) { FOUND(name) return function ? function() : (type)0; }
#define LAZY1(type, name, A) type name(A a) { FOUND(name) return function ? function(a) : (type)0; }
#define LAZY2(type, name, A, B) type name(A a, B b) { FOUND(name) return function ? function(a, b) : (type)0; }
#define LAZY3(type, name, A, B, C) \
    type name(A a, B b, C c) { FOUND(name) return function ? function(a, b, c) : (type)0; }
#define LAZY4(type, name, A, B, C, D) \
    type name(A a, B b, C c, D d) { FOUND(name) return function ? function(a, b, c, d) : (type)0; }
#define LAZY5(type, name, A, B, C, D, E) \
    type name(A a, B b, C c, D d, E e) { FOUND(name) return function ? function(a, b, c, d, e) : (type)0; }
#define LAZY_VOID(name, A) void name(A a) { FOUND(name) if (function) function(a); }
