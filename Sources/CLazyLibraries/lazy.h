#pragma once
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

// Returns the function `name` of `library`, looked up once; threads that look it up at the same time find the same address.
static inline void *halftone_lazy(_Atomic(void *) *place, const char *library, const char *name) {
    void *function = atomic_load_explicit(place, memory_order_acquire);
    if (function) return function;
    // Never closed: the loader counts references and returns the same handle each time.
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    function = handle ? dlsym(handle, name) : NULL;
    atomic_store_explicit(place, function, memory_order_release);
    return function;
}

#define FOUND(name) \
    static _Atomic(void *) place; \
    __typeof__(&name) function = (__typeof__(&name))halftone_lazy(&place, LIBRARY, #name);

// Takes the parameters with their types, then only their names, each list in parentheses.
#define LAZY(type, name, parameters, names) \
    type name parameters { \
        FOUND(name) \
        return function ? function names : (type)0; \
    }

#define LAZY_VOID(name, parameters, names) \
    void name parameters { \
        FOUND(name) \
        if (function) function names; \
    }
