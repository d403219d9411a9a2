#pragma once
/* libcurl for Swift, which cannot call its variadic functions and macros for options. */
#include <curl/curl.h>

/* Values of enumerations, which libcurl 8.23 turned into macros. */
static const long halftone_curl_single_folder = CURLFTPMETHOD_SINGLECWD, halftone_curl_all_encrypted = CURLUSESSL_ALL,
    halftone_curl_logins = CURLAUTH_BASIC | CURLAUTH_DIGEST;

typedef size_t (*halftone_curl_receive)(char *bytes, size_t size, size_t count, void *context);

/* One function for each type of an option's value, and of an info value. */
#define SET(name, type) \
    static inline CURLcode halftone_curl_set_##name(CURL *handle, CURLoption option, type value) { \
        return curl_easy_setopt(handle, option, value); \
    }
#define GET(name, type) \
    static inline CURLcode halftone_curl_get_##name(CURL *handle, CURLINFO info, type *value) { \
        return curl_easy_getinfo(handle, info, value); \
    }

SET(long, long)
/* The options whose names end with _LARGE. */
SET(size, curl_off_t)
/* Strings, which libcurl copies; NULL resets the option. */
SET(text, const char *)
/* Passed through unchanged: CURLOPT_PRIVATE and the *DATA options. */
SET(pointer, void *)
/* CURLOPT_HTTPHEADER and CURLOPT_RESOLVE; the list must live as long as the transfer. */
SET(list, struct curl_slist *)
/* CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION. */
SET(receiver, halftone_curl_receive)
SET(open_socket, curl_opensocket_callback)
SET(key_check, curl_sshkeycallback)

GET(long, long)
/* Sizes, and times in microseconds (the infos whose names end with _T). */
GET(size, curl_off_t)
/* Owned by libcurl, valid until the handle's next transfer. */
GET(text, char *)
/* CURLINFO_ACTIVESOCKET. */
GET(socket, curl_socket_t)
/* CURLINFO_PRIVATE. */
GET(pointer, void *)

#undef SET
#undef GET

/* Lets handles share cookies; on a single thread only, as no lock functions are set. */
static inline CURLSHcode halftone_curl_share_cookies(CURLSH *share) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

/* The number of cookies that a handle has, or shares. */
static inline int halftone_curl_count_cookies(CURL *handle) {
    struct curl_slist *list = NULL;
    int count = 0;
    curl_easy_getinfo(handle, CURLINFO_COOKIELIST, &list);
    for (struct curl_slist *cookie = list; cookie; cookie = cookie->next) count++;
    curl_slist_free_all(list);
    return count;
}

static inline CURLMcode halftone_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/* Returns the next finished transfer and its result; NULL if there is none. In C, as the union in CURLMsg does not import well. */
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
