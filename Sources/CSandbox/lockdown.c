// For system calls that are not in POSIX.
#define _GNU_SOURCE
#include "CSandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// Decoding takes up to about 1.1 GB: 40 megapixels of JPEG XL, twice as floats and once as bytes.
const int64_t halftone_helper_memory = (int64_t)3 << 29;
// Four times the pixels of a large screen, in bytes.
static const rlim_t longest_file = 64 << 20;

static bool limit(int resource, rlim_t most) {
    struct rlimit now;
    if (getrlimit(resource, &now)) return false;
    // The user may have set a lower one, which only root can raise.
    if (now.rlim_max < most) most = now.rlim_max;
    return !setrlimit(resource, &(struct rlimit){most, most});
}

// A helper that reads no fonts needs no descriptors besides its own five and that of a file.
static bool limit_resources(uint32_t abilities) {
    return limit(RLIMIT_CORE, 0) && limit(RLIMIT_AS, (rlim_t)halftone_helper_memory)
        && limit(RLIMIT_FSIZE, longest_file) && limit(RLIMIT_NOFILE, abilities & HALFTONE_FONTS ? 64 : 6)
        && (abilities & HALFTONE_WORKERS || limit(RLIMIT_NPROC, 0));
}

void halftone_allow_seconds(double seconds) {
    struct itimerval timer = {.it_value = {(time_t)seconds, (suseconds_t)((seconds - (time_t)seconds) * 1e6) + 1}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

void halftone_give_back(void) {
    // Memory that a photograph needs is kept for the next one.
    if (mallinfo2().fordblks > 4 << 20) malloc_trim(0);
}

// Folders where fontconfig (2.14) looks for configuration, caches and fonts: absolute ones, and those relative to the home folder. In the
// last of the absolute ones poppler finds the characters that fonts of Chinese, Japanese and Korean documents have under numbers.
static const char *const font_folders[] = {
    "/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/var/cache/fontconfig",
    "/usr/share/poppler", ".fonts", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig"};

// Declared here, as the kernel's header may be older than the kernel: rights for files, for network connections (version 4), and for
// reaching other processes (version 6).
typedef struct { uint64_t files, net, scoped; } landlock_rights;

static void allow_reading(int rules, const char *folder) {
    struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
        .parent_fd = open(folder, O_PATH | O_CLOEXEC)};
    // Not every folder exists.
    if (rule.parent_fd < 0) return;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

static void allow_fonts(int rules) {
    const char *home = getenv("HOME");
    for (size_t i = 0; i < sizeof font_folders / sizeof *font_folders; i++) {
        const char *name = font_folders[i];
        char folder[4096];
        if (*name == '/') allow_reading(rules, name);
        else if (home && snprintf(folder, sizeof folder, "%s/%s", home, name) < (int)sizeof folder)
            allow_reading(rules, folder);
    }
}

static bool forbid_files(bool reads_fonts) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return false;
    int kinds = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    landlock_rights rights = {
        .files = ((uint64_t)1 << kinds) - 1, .net = version >= 4 ? 3 : 0, .scoped = version >= 6 ? 3 : 0};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &rights, sizeof rights, 0);
    if (rules < 0) return false;
    if (reads_fonts) allow_fonts(rules);
    bool is_done = !syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
    return is_done;
}

// Memory, the process's own threads, time, its own descriptors.
static const char allowed[] =
    "brk munmap mremap madvise "
    "futex set_robust_list rseq sched_yield sched_getaffinity "
    "gettid getpid exit exit_group membarrier "
    "rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall "
    "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time "
    "read pread64 pwrite64 write writev lseek close fstat "
    "recvmsg sendto poll ppoll setitimer "
    "getrandom getrusage sysinfo uname "
    "getuid geteuid getgid getegid";

// Calls that libraries try but can do without: they fail with EACCES, where any other call kills the process, including the tgkill in
// abort().
static const char refused[] =
    "getcwd ioctl eventfd2 pipe2 memfd_create inotify_init1 dup "
    "sched_setscheduler sched_getscheduler sched_getparam getpriority setpriority "
    "getppid getresuid getresgid capget getcpu mlock mincore "
    "getpeername getsockname getsockopt prlimit64";

// Also refused, except in helpers that look for fonts, where Landlock leaves only fonts readable.
static const char reading[] =
    "open openat access faccessat faccessat2 stat lstat "
    "newfstatat statx statfs fstatfs readlink readlinkat getdents64 "
    "fcntl fadvise64";

static bool add(scmp_filter_ctx filter, uint32_t action, const char *calls) {
    char name[32];
    for (int length; sscanf(calls, "%31s%n", name, &length) == 1; calls += length) {
        int call = seccomp_syscall_resolve_name(name);
        // Calls that do not exist on this architecture have other negative numbers, and are left out.
        if (call == __NR_SCMP_ERROR || (call >= 0 && seccomp_rule_add(filter, action, call, 0))) return false;
    }
    return true;
}

#define WHERE(action, call, ...) !seccomp_rule_add(filter, action, SCMP_SYS(call), 1, __VA_ARGS__)

static bool add_rules(scmp_filter_ctx filter, bool reads_files) {
    const scmp_datum_t none = 0;
    return add(filter, SCMP_ACT_ALLOW, allowed) && add(filter, SCMP_ACT_ERRNO(EACCES), refused)
        && add(filter, reads_files ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EACCES), reading)
        // Written memory must never become executable.
        && WHERE(SCMP_ACT_ALLOW, mmap, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, none))
        && WHERE(SCMP_ACT_ALLOW, mprotect, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, none))
        // Threads, but no processes; the flags of clone3 are in memory, where a filter cannot see them.
        && WHERE(SCMP_ACT_ALLOW, clone, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD))
        && !seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0)
        && WHERE(SCMP_ACT_ALLOW, prctl, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME, 0))
        && WHERE(SCMP_ACT_ERRNO(EACCES), prctl, SCMP_A0(SCMP_CMP_NE, PR_SET_NAME, 0));
}

// Indexed by `reads_files`.
static struct sock_fprog filters[2];

void halftone_build_filter(bool reads_files) {
    struct sock_fprog *program = &filters[reads_files];
    if (program->len) return;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    int file = memfd_create("filter", MFD_CLOEXEC);
    if (filter && file >= 0 && !seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS)
        && add_rules(filter, reads_files) && !seccomp_export_bpf(filter, file)) {
        off_t size = lseek(file, 0, SEEK_END);
        void *bytes = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED)
            *program = (struct sock_fprog){(unsigned short)((size_t)size / sizeof(struct sock_filter)), bytes};
    }
    if (filter) seccomp_release(filter);
    close(file);
}

static bool filter_calls(bool reads_files) {
    halftone_build_filter(reads_files);
    const struct sock_fprog *filter = &filters[reads_files];
    // Without the flag, some kernels slow filtered processes down as a mitigation against attacks by their own code.
    return filter->len
        && !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, filter);
}

uint32_t halftone_lock_down(uint32_t abilities) {
    bool reads_fonts = abilities & HALFTONE_FONTS;
    uint32_t protections = 0;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // The same niceness as the program's own workers, a tenth of the usual weight: as many decoders as processors would otherwise take half
    // of the time that the program needs.
    setpriority(PRIO_PROCESS, 0, 10);
    // The order matters: each step needs what the next one takes away.
    if (forbid_files(reads_fonts)) protections |= HALFTONE_LANDLOCK;
    if (limit_resources(abilities)) protections |= HALFTONE_RLIMITS;
    if (filter_calls(reads_fonts && protections & HALFTONE_LANDLOCK)) protections |= HALFTONE_SECCOMP;
    return protections;
}
