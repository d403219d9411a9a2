// SOCK_CLOEXEC, memfd_create, program_invocation_name and SYS_close_range are not in POSIX.
#define _GNU_SOURCE
#include "CSandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
// A sanitizer needs more memory and more system calls than a helper is allowed.
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#endif

// A request to the zygote: for a helper with these abilities or, if `ended` is set, to end that helper.
typedef struct {
    uint32_t abilities;
    pid_t ended;
} request;

// The zygote's reply: the helper's process ID, along with its two descriptors; or how it ended.
typedef struct {
    pid_t process;
    halftone_ending ending;
} reply;

enum { SOCKET = 3, MEMORY = 4 };

const int halftone_start_timeout = 5000;

// The first argument of the program when run as a zygote; also shown by `ps`.
static char zygote_name[] = "halftone: decoders";

static void close_from(int first) {
    if (!syscall(SYS_close_range, first, ~0u, 0)) return;
    for (int descriptor = first; descriptor < 65536; descriptor++) close(descriptor);
}

typedef union { struct cmsghdr header; char bytes[CMSG_SPACE(2 * sizeof(int))]; } control;

bool halftone_send(int socket, const void *packet, size_t size, const int *descriptors, size_t count) {
    struct iovec part = {(void *)packet, size};
    control control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        *CMSG_FIRSTHDR(&message) = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(count * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), descriptors, count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)size;
}

bool halftone_receive(int socket, void *packet, size_t size, int *descriptors, size_t count) {
    struct iovec part = {packet, size};
    control control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    }
    // With MSG_TRUNC, a packet that is too long is cut but its full length is returned.
    ssize_t got = TEMP_FAILURE_RETRY(recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_TRUNC));
    struct cmsghdr *header = got < 0 ? NULL : CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS) {
        // The space is aligned, so that two may arrive where there is to be one.
        int arrived[2];
        size_t length = header->cmsg_len - CMSG_LEN(0);
        memcpy(arrived, CMSG_DATA(header), length);
        if (length == count * sizeof(int)) memcpy(descriptors, arrived, length);
        else for (size_t i = 0; i < length / sizeof(int); i++) close(arrived[i]);
    }
    return got == (ssize_t)size;
}

static bool ask(int zygote, request request) {
    return send(zygote, &request, sizeof request, MSG_NOSIGNAL) == sizeof request;
}

static _Noreturn void help(
    const halftone_sandbox_work *work, pid_t zygote, int socket, int memory, uint32_t abilities) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != zygote) _exit(1);
    // Moves the socket out of the way of its target descriptors.
    socket = fcntl(socket, F_DUPFD, MEMORY + 1);
    dup2(memory, MEMORY);
    dup2(socket, SOCKET);
    close_from(MEMORY + 1);
    // Memory that a photograph needs is kept for the next one; glibc's dynamic threshold would grow until it keeps up to 64 MB.
    mallopt(M_MMAP_THRESHOLD, 8 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
    work->serve(SOCKET, MEMORY, halftone_lock_down(abilities));
    _exit(0);
}

static void start_helper(const halftone_sandbox_work *work, int socket, uint32_t abilities) {
    work->prepare(abilities);
    halftone_build_filter(abilities & HALFTONE_FONTS);
    reply reply = {.process = -1};
    int ends[2] = {-1, -1};
    int memory = memfd_create("halftone", MFD_CLOEXEC);
    if (memory >= 0 && !socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) {
        pid_t zygote = getpid();
        reply.process = fork();
        if (reply.process == 0) help(work, zygote, ends[1], memory, abilities);
    }
    halftone_send(socket, &reply, sizeof reply, (int[]){ends[0], memory}, reply.process < 0 ? 0 : 2);
    close(memory);
    close(ends[0]);
    close(ends[1]);
}

static void end_helper(int socket, pid_t process) {
    reply reply = {.process = process};
    int status = 0;
    struct rusage used = {0};
    // The process ID of a dead child is not reused until it is waited for; processes that are not our children are never killed.
    if (wait4(process, &status, WNOHANG, &used) == 0) {
        kill(process, SIGKILL);
        (void)TEMP_FAILURE_RETRY(wait4(process, &status, 0, &used));
    }
    reply.ending = (halftone_ending){WIFSIGNALED(status) ? WTERMSIG(status) : 0, (int64_t)used.ru_maxrss << 10};
    halftone_send(socket, &reply, sizeof reply, NULL, 0);
}

static void *await(void *lock) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

bool halftone_has_room(int threads) {
    enum { MOST = 16 };
    pthread_t started[MOST];
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int count = 0;
    pthread_mutex_lock(&lock);
    while (count < threads && count < MOST && !pthread_create(started + count, NULL, await, &lock)) count++;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < count; i++) pthread_join(started[i], NULL);
    return count == threads;
}

static _Noreturn void run_zygote(halftone_sandbox_work work, int socket) {
    // Resets to the state of a new process: no signal handlers, no terminal, no descriptor but the socket.
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // Signals from the terminal's keys are for the program alone.
    setpgid(0, 0);
    dup2(socket, SOCKET);
    close_from(SOCKET + 1);
    // Libraries that write to standard error would garble the screen.
    int nothing = open("/dev/null", O_RDWR);
    for (int descriptor = 0; descriptor < 3; descriptor++) dup2(nothing, descriptor);
    if (nothing > SOCKET) close(nothing);
    request request;
    while (TEMP_FAILURE_RETRY(recv(SOCKET, &request, sizeof request, 0)) == sizeof request) {
        if (request.ended > 0) end_helper(SOCKET, request.ended);
        else start_helper(&work, SOCKET, request.abilities);
    }
    _exit(0);
}

bool halftone_zygote_start(halftone_sandbox_work work, bool now, halftone_zygote *zygote) {
    if (!strcmp(program_invocation_name, zygote_name)) run_zygote(work, SOCKET);
    *zygote = (halftone_zygote){-1, -1, false};
    int ends[2];
    if (SANITIZED) return false;
    if (!now || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return true;
    pid_t program = getpid();
    *zygote = (halftone_zygote){fork(), ends[0], false};
    if (zygote->process == 0) {
        // Closing the socket would not end it while it is stopped. Not for one that a thread has started: it would end with that thread.
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != program) _exit(1);
        run_zygote(work, ends[1]);
    }
    close(ends[1]);
    // Without room for its threads the program would wait for them for ever; and the first helper takes the place of one.
    if (zygote->process > 0 && halftone_has_room(HALFTONE_THREADS + 1)) zygote->is_asked = ask(ends[0], (request){0});
    else halftone_zygote_end(zygote);
    return true;
}

void halftone_zygote_end(halftone_zygote *zygote) {
    if (zygote->process > 0) {
        // Our own child, whose process ID cannot be reused before it is waited for.
        kill(zygote->process, SIGKILL);
        waitpid(zygote->process, NULL, 0);
    }
    if (zygote->socket >= 0) close(zygote->socket);
    *zygote = (halftone_zygote){-1, -1, false};
}

// Runs this program anew, as a process with threads must not fork.
static bool restart_zygote(halftone_zygote *zygote) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], SOCKET);
    char *arguments[] = {zygote_name, NULL};
    pid_t process;
    if (posix_spawn(&process, "/proc/self/exe", &actions, NULL, arguments, environ)) close(ends[0]);
    else *zygote = (halftone_zygote){process, ends[0], false};
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    return zygote->process > 0;
}

// Waits for the zygote's reply. One that does not answer, perhaps because it is stopped, is ended: a late reply would be taken for the next.
static bool is_answered(halftone_zygote *zygote, reply *reply, int *descriptors, size_t count) {
    struct pollfd entry = {.fd = zygote->socket, .events = POLLIN};
    bool is_answered = TEMP_FAILURE_RETRY(poll(&entry, 1, halftone_start_timeout)) > 0
        && halftone_receive(zygote->socket, reply, sizeof *reply, descriptors, count);
    if (!is_answered) halftone_zygote_end(zygote);
    return is_answered;
}

bool halftone_helper_start(halftone_zygote *zygote, uint32_t abilities, halftone_helper *helper) {
    for (int attempt = 0; attempt < 2; attempt++) {
        reply reply;
        int descriptors[2] = {-1, -1};
        bool is_asked = zygote->is_asked
            || ((zygote->process > 0 || restart_zygote(zygote))
                && ask(zygote->socket, (request){.abilities = abilities}));
        zygote->is_asked = false;
        if (!is_asked) {
            halftone_zygote_end(zygote);
        } else if (is_answered(zygote, &reply, descriptors, 2)) {
            *helper = (halftone_helper){reply.process, descriptors[0], descriptors[1]};
            return reply.process > 0;
        }
    }
    return false;
}

halftone_ending halftone_helper_end(halftone_zygote *zygote, halftone_helper helper) {
    reply reply;
    close(helper.socket);
    close(helper.memory);
    bool is_told = zygote->process > 0 && ask(zygote->socket, (request){.ended = helper.process})
        && is_answered(zygote, &reply, NULL, 0);
    return is_told ? reply.ending : (halftone_ending){0};
}
