#define CURL_DISABLE_TYPECHECK
// Newer versions take a constant URL, so that the types differ.
#define curl_url_get curl_url_get_as_declared
#include "CLazyLibraries.h"
#include "lazy.h"
#include <curl/curl.h>
#include <stdarg.h>
#undef curl_url_get

#define LIBRARY "libcurl.so.4"

bool halftone_open_curl(void) { return dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL) != NULL; }

LAZY(CURLcode, curl_global_init, (long flags), (flags))
LAZY(time_t, curl_getdate, (const char *text, const time_t *unused), (text, unused))
LAZY_VOID(curl_free, (void *memory), (memory))

LAZY(CURL *, curl_easy_init, (void), ())
LAZY_VOID(curl_easy_cleanup, (CURL *easy), (easy))
LAZY_VOID(curl_easy_reset, (CURL *easy), (easy))
LAZY(const char *, curl_easy_strerror, (CURLcode code), (code))

LAZY(CURLM *, curl_multi_init, (void), ())
LAZY(CURLMcode, curl_multi_cleanup, (CURLM *multi), (multi))
LAZY(CURLMcode, curl_multi_add_handle, (CURLM *multi, CURL *easy), (multi, easy))
LAZY(CURLMcode, curl_multi_remove_handle, (CURLM *multi, CURL *easy), (multi, easy))
LAZY(CURLMcode, curl_multi_perform, (CURLM *multi, int *running), (multi, running))
LAZY(CURLMcode, curl_multi_poll,
    (CURLM *multi, struct curl_waitfd *more, unsigned count, int milliseconds, int *ready),
    (multi, more, count, milliseconds, ready))
LAZY(CURLMcode, curl_multi_wakeup, (CURLM *multi), (multi))
LAZY(CURLMsg *, curl_multi_info_read, (CURLM *multi, int *left), (multi, left))

LAZY(CURLSH *, curl_share_init, (void), ())
LAZY(CURLSHcode, curl_share_cleanup, (CURLSH *share), (share))

LAZY(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text))
LAZY_VOID(curl_slist_free_all, (struct curl_slist *list), (list))

LAZY(CURLU *, curl_url, (void), ())
LAZY_VOID(curl_url_cleanup, (CURLU *url), (url))
LAZY(CURLUcode, curl_url_get, (CURLU *url, CURLUPart part, char **text, unsigned flags),
    (url, part, text, flags))
LAZY(CURLUcode, curl_url_set, (CURLU *url, CURLUPart part, const char *text, unsigned flags),
    (url, part, text, flags))

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

// An option's number encodes the type of its value (CURLOPTTYPE_LONG and the others in curl.h).
#define SET(result, name, handle_type, option_type, failure) \
    result name(handle_type *handle, option_type option, ...) { \
        FOUND(name) \
        if (!function) return failure; \
        va_list values; \
        va_start(values, option); \
        result code; \
        if (option < CURLOPTTYPE_OBJECTPOINT) \
            code = function(handle, option, va_arg(values, long)); \
        else if (option < CURLOPTTYPE_FUNCTIONPOINT) \
            code = function(handle, option, va_arg(values, void *)); \
        else if (option < CURLOPTTYPE_OFF_T) \
            code = function(handle, option, va_arg(values, void (*)(void))); \
        else \
            code = function(handle, option, va_arg(values, curl_off_t)); \
        va_end(values); \
        return code; \
    }

SET(CURLcode, curl_easy_setopt, CURL, CURLoption, CURLE_FAILED_INIT)
SET(CURLMcode, curl_multi_setopt, CURLM, CURLMoption, CURLM_INTERNAL_ERROR)

CURLcode curl_easy_getinfo(CURL *easy, CURLINFO info, ...) {
    FOUND(curl_easy_getinfo)
    if (!function) return CURLE_FAILED_INIT;
    va_list values;
    va_start(values, info);
    CURLcode code = function(easy, info, va_arg(values, void *));
    va_end(values);
    return code;
}

// Supports only CURLSHOPT_SHARE, whose value is an integer.
CURLSHcode curl_share_setopt(CURLSH *share, CURLSHoption option, ...) {
    FOUND(curl_share_setopt)
    if (!function || option != CURLSHOPT_SHARE) return CURLSHE_BAD_OPTION;
    va_list values;
    va_start(values, option);
    CURLSHcode code = function(share, option, va_arg(values, int));
    va_end(values);
    return code;
}
