#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// Helper processes that may compute and nothing else. In C, since Swift may not call fork.
//
// A zygote is forked before the program has threads, opened a library or read anything. It never reads what comes from
// outside; it forks helpers when the program asks for them. A helper gives up its rights before it reads its first
// request, and ends with the zygote, which ends with the program.

// What holds a helper, as far as the kernel knows it.
enum { HALFTONE_RLIMITS = 1, HALFTONE_SECCOMP = 2, HALFTONE_LANDLOCK = 4 };

// What a helper can do: with this bit read fonts; the others are the caller's own.
enum { HALFTONE_FONTS = 1 };

typedef struct {
    // In the zygote, before it forks a helper: opens the libraries that `abilities` stand for.
    void (*prepare)(uint32_t abilities);
    // In a helper: answers requests until `socket` ends. Requests and answers have their bytes in `memory`.
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

// How a helper ended: the signal, 0 if it left by itself; and the most memory it had, in bytes.
typedef struct {
    int signal;
    int64_t memory;
} halftone_ending;

// Forks the zygote, of a process with a single thread, and asks it for a first helper, which is made while the program goes
// on; false if that cannot be. In a program that `halftone_zygote_restart` runs it becomes the zygote and does not return.
bool halftone_zygote_start(halftone_sandbox_work work, halftone_zygote *zygote);
// Replaces one that is gone by this program, run anew: nothing else may be forked once there are threads.
bool halftone_zygote_restart(halftone_zygote *zygote);

// Asks the zygote for a helper, whose process is negative if none can be forked; false if the zygote is gone. One call with
// the same zygote at a time, this or the next.
bool halftone_helper_start(halftone_zygote *zygote, uint32_t abilities, halftone_helper *helper);
// Kills a helper, if it has not ended by itself, and closes its descriptors.
halftone_ending halftone_helper_end(halftone_zygote zygote, halftone_helper helper);

// Sends a packet, and so many descriptors, two at most, with it; false if the other side is gone. Not in a helper.
bool halftone_send(int socket, const void *packet, size_t size, const int *descriptors, size_t count);
// Waits for a packet of that size; false if it is another, or none comes any more. The descriptors that came with it replace
// those given if they are so many, and are dropped if none are asked for.
bool halftone_receive(int socket, void *packet, size_t size, int *descriptors, size_t count);

// The bytes of address space that a helper has.
extern const int64_t halftone_helper_memory;
// In a helper: the kernel ends it by SIGPROF once it has used so much more of the processor.
void halftone_allow_seconds(double seconds);
// In a helper: gives memory back that a large request left.
void halftone_give_back(void);
// In the zygote: has the filter of system calls ready that its helpers put on, half a millisecond's work.
void halftone_build_filter(bool reads_files);
// In a helper: gives up every right but to compute, to use the descriptors 0 to 4 and a file that comes with a request, and to
// read fonts, where it is asked for and Landlock sees to it that nothing else is read. Gives what is in force.
uint32_t halftone_lock_down(bool reads_fonts);
