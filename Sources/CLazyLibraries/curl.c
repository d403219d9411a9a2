#define CURL_DISABLE_TYPECHECK
// Newer versions take a constant URL, so that the types differ.
#define curl_url_get curl_url_get_as_declared
#include "lazy.h"
#include <curl/curl.h>
#include <stdarg.h>
#undef curl_url_get

#define LIBRARY HALFTONE_LIBCURL

bool halftone_open_curl(void) { return halftone_load(LIBRARY, &(halftone_function){0}); }

LAZY1(CURLcode, curl_global_init, long)
LAZY2(time_t, curl_getdate, const char *, const time_t *)
LAZY1(void, curl_free, void *)

LAZY0(CURL *, curl_easy_init)
LAZY1(void, curl_easy_cleanup, CURL *)
LAZY1(void, curl_easy_reset, CURL *)
LAZY1(CURLcode, curl_easy_perform, CURL *)
LAZY1(const char *, curl_easy_strerror, CURLcode)

LAZY0(CURLM *, curl_multi_init)
LAZY1(CURLMcode, curl_multi_cleanup, CURLM *)
LAZY2(CURLMcode, curl_multi_add_handle, CURLM *, CURL *)
LAZY2(CURLMcode, curl_multi_remove_handle, CURLM *, CURL *)
LAZY2(CURLMcode, curl_multi_perform, CURLM *, int *)
LAZY5(CURLMcode, curl_multi_poll, CURLM *, struct curl_waitfd *, unsigned, int, int *)
LAZY1(CURLMcode, curl_multi_wakeup, CURLM *)
LAZY2(CURLMsg *, curl_multi_info_read, CURLM *, int *)

LAZY0(CURLSH *, curl_share_init)
LAZY1(CURLSHcode, curl_share_cleanup, CURLSH *)

LAZY2(struct curl_slist *, curl_slist_append, struct curl_slist *, const char *)
LAZY1(void, curl_slist_free_all, struct curl_slist *)

LAZY0(CURLU *, curl_url)
LAZY1(void, curl_url_cleanup, CURLU *)
LAZY4(CURLUcode, curl_url_get, CURLU *, CURLUPart, char **, unsigned)
LAZY4(CURLUcode, curl_url_set, CURLU *, CURLUPart, const char *, unsigned)

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
