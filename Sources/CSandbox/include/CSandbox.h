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

// A helper's abilities: this bit lets it read fonts; the others are up to the caller.
enum { HALFTONE_FONTS = 1 };

typedef struct {
    // Called in the zygote before it forks a helper: opens the libraries that `abilities` require.
    void (*prepare)(uint32_t abilities);
    // Called in a helper: answers requests until `socket` is closed. Request and answer bytes are passed in `memory`.
    void (*serve)(int socket, int memory, uint32_t protections);
} halftone_sandbox_work;

typedef struct {
    pid_t process;
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

// Forks the zygote, from a process with a single thread, and requests a first helper, which is forked in the background; false on failure.
// In a process started by `halftone_zygote_restart` it becomes the zygote and does not return.
bool halftone_zygote_start(halftone_sandbox_work work, halftone_zygote *zygote);
// Replaces a dead zygote by running this program anew, as a process with threads must not fork.
bool halftone_zygote_restart(halftone_zygote *zygote);

// Requests a helper from the zygote; its process is negative if none can be forked. False if the zygote is gone. At most one call of this
// function or the next may be in progress per zygote.
bool halftone_helper_start(halftone_zygote *zygote, uint32_t abilities, halftone_helper *helper);
// Kills a helper, unless it has already exited, and closes its descriptors.
halftone_ending halftone_helper_end(halftone_zygote zygote, halftone_helper helper);

// Sends a packet along with `count` descriptors, at most two; false if the peer is gone. Not for use in a helper.
bool halftone_send(int socket, const void *packet, size_t size, const int *descriptors, size_t count);
// Waits for a packet of exactly that size; false if it has another size or the peer is gone. The descriptors received with it replace those
// given if exactly `count` arrive, and are dropped if `count` is 0.
bool halftone_receive(int socket, void *packet, size_t size, int *descriptors, size_t count);

// The limit on a helper's address space, in bytes.
extern const int64_t halftone_helper_memory;
// In a helper: has the kernel kill it with SIGPROF once it has used that much more CPU time.
void halftone_allow_seconds(double seconds);
// In a helper: returns memory left over from a large request to the kernel.
void halftone_give_back(void);
// In the zygote: builds the system-call filter that its helpers install, which takes half a millisecond.
void halftone_build_filter(bool reads_files);
// In a helper: gives up all privileges except computing, using descriptors 0 to 4 and a file passed with a request, and, if requested and
// Landlock forbids all other files, reading fonts. Returns the restrictions in force.
uint32_t halftone_lock_down(bool reads_fonts);
