#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// Helper processes that can compute and nothing else. Written in C because Swift may not call fork.
//
// A zygote is forked before the program has started threads, opened a library or read anything. It never reads untrusted data; it forks
// helpers at the program's request. A helper drops its privileges before it reads its first request. Helpers exit with the zygote, which
// exits with the program.

// The restrictions in force in a helper.
enum { HALFTONE_RLIMITS = 1, HALFTONE_SECCOMP = 2, HALFTONE_LANDLOCK = 4 };

// A helper's abilities: these bits let it read fonts, and start threads; the others are up to the caller.
enum { HALFTONE_FONTS = 1, HALFTONE_WORKERS = 2 };

typedef struct {
    // Called in the zygote before it forks a helper: opens the libraries that `abilities` require.
    void (*prepare)(uint32_t abilities);
    // Called in a helper: answers requests until `socket` is closed. Request and answer bytes are passed in `memory`.
    void (*serve)(int socket, int memory, uint32_t protections);
} halftone_sandbox_work;

typedef struct {
    pid_t process;  // negative if it could not be started or was ended: it is started anew with the next helper
    int socket;
    bool is_asked;  // for a first helper, without abilities, which is to be taken before anything else is asked for
} halftone_zygote;

typedef struct {
    pid_t process;
    int socket;  // SOCK_SEQPACKET
    int memory;  // a file in memory that it shares
} halftone_helper;

// How a helper ended: the signal, or 0 if it exited; and its peak memory in bytes.
typedef struct {
    int signal;
    int64_t memory;
} halftone_ending;

// The threads that the program needs besides its first to show pictures: those of its queues, of Dispatch itself and of the network.
enum { HALFTONE_THREADS = 4 };
// Whether so many threads more can be started, at most 16. Dispatch tries for ever, without a word, where the user's limit of processes, or
// of memory for their stacks, allows no more.
bool halftone_has_room(int threads);

// Milliseconds within which the zygote must reply, and a helper must have locked itself down.
extern const int halftone_start_timeout;

// Forks the zygote, from a process with a single thread, and requests a first helper, which is forked in the background; neither if they
// would leave no room for the program's threads, or unless it is to be `now`: then the first helper starts it. False if sandboxes are not supported. In a process that was started as a zygote it does
// not return.
bool halftone_zygote_start(halftone_sandbox_work work, bool now, halftone_zygote *zygote);
// Ends the zygote, even if it is stopped, and its helpers.
void halftone_zygote_end(halftone_zygote *zygote);

// Requests a helper from the zygote, which is started anew if it is gone or does not reply; false if none can be forked. At most one call
// of this function or the next may be in progress per zygote.
bool halftone_helper_start(halftone_zygote *zygote, uint32_t abilities, halftone_helper *helper);
// Kills a helper, unless it has already exited, and closes its descriptors.
halftone_ending halftone_helper_end(halftone_zygote *zygote, halftone_helper helper);
// Sends a packet along with `count` descriptors, at most two; false if the peer is gone. Not for use in a helper.
bool halftone_send(int socket, const void *packet, size_t size, const int *descriptors, size_t count);
// Waits for a packet of exactly that size; false if it has another size or the peer is gone. The descriptors received with it replace those
// given if exactly `count` arrive, at most two, and are closed otherwise.
bool halftone_receive(int socket, void *packet, size_t size, int *descriptors, size_t count);

// The limit on a helper's address space, in bytes.
extern const int64_t halftone_helper_memory;
// In a helper: has the kernel kill it with SIGPROF once it has used that much more CPU time.
void halftone_allow_seconds(double seconds);
// In a helper: returns memory left over from a large request to the kernel.
void halftone_give_back(void);
// In the zygote: builds the system-call filter that its helpers install, which takes half a millisecond.
void halftone_build_filter(bool reads_files);
// In a helper: gives up all privileges except computing, using descriptors 0 to 4 and a file passed with a request, its abilities, and, if
// Landlock forbids all other files, reading fonts. Returns the restrictions in force.
uint32_t halftone_lock_down(uint32_t abilities);
