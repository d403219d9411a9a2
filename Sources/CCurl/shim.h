#pragma once
/* libcurl for Swift: its options are variadic functions and macros, which Swift cannot call. */
#include <curl/curl.h>

static inline CURLcode halftone_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/* Sizes (the options whose names end with _LARGE). */
static inline CURLcode halftone_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

/* A string, which libcurl copies; NULL takes the option back. */
static inline CURLcode halftone_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/* A pointer handed through: CURLOPT_PRIVATE and the *DATA options. */
static inline CURLcode halftone_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

/* CURLOPT_HTTPHEADER and CURLOPT_RESOLVE; the list must live as long as the transfer. */
static inline CURLcode halftone_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}

typedef size_t (*halftone_curl_receive)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode halftone_curl_set_on_body(CURL *handle, halftone_curl_receive receive) {
    return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
}

static inline CURLcode halftone_curl_set_on_header(CURL *handle, halftone_curl_receive receive) {
    return curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, receive);
}

static inline CURLcode halftone_curl_set_open_socket(CURL *handle, curl_opensocket_callback open) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
}

static inline CURLcode halftone_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

/* Sizes, and times in microseconds (the infos whose names end with _T). */
static inline CURLcode halftone_curl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

/* The string belongs to the handle; NULL if there is none. */
static inline CURLcode halftone_curl_get_text(CURL *handle, CURLINFO info, const char **value) {
    return curl_easy_getinfo(handle, info, value);
}

/* CURLINFO_PRIVATE. */
static inline void *halftone_curl_context(CURL *handle) {
    void *context = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &context);
    return context;
}

/* Lets handles share their cookies; without lock functions, so on one thread only. */
static inline CURLSHcode halftone_curl_share_cookies(CURLSH *share) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

static inline CURLMcode halftone_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/* The next finished transfer and its result; NULL if there is none. The union of CURLMsg does not import well. */
static inline CURL *halftone_curl_next_done(CURLM *multi, CURLcode *result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}
