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

#define LAZY(type, name, parameters, arguments) \
    type name parameters { FOUND(name) return function ? function arguments : (type)0; }
// A function of no to five parameters, whose types follow its name.
#define LAZY0(type, name) LAZY(type, name, (void), ())
#define LAZY1(type, name, A) LAZY(type, name, (A a), (a))
#define LAZY2(type, name, A, B) LAZY(type, name, (A a, B b), (a, b))
#define LAZY3(type, name, A, B, C) LAZY(type, name, (A a, B b, C c), (a, b, c))
#define LAZY4(type, name, A, B, C, D) LAZY(type, name, (A a, B b, C c, D d), (a, b, c, d))
#define LAZY5(type, name, A, B, C, D, E) LAZY(type, name, (A a, B b, C c, D d, E e), (a, b, c, d, e))
