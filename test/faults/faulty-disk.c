/* A disk that is slow or fails, in front of the real one: preloaded, it wraps the calls by which bytes reach files. What it does is
 * read from the file named by ISOLINE_FAULTS before each call, so that a test can change it while the program runs:
 *
 *     OPERATION MILLISECONDS ERRNO
 *
 * OPERATION is `sync` (fsync, fdatasync), `write` (write, pwrite, writev, pwritev to regular files) or `all`. Without the file
 * nothing happens. Sockets and pipes are left alone. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* By system call, so that reading the plan is not wrapped itself. */
static int read_plan(char *operation, int *delay_ms, int *error) {
  const char *path = getenv("ISOLINE_FAULTS");
  if (path == NULL) return 0;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return 0;
  char text[64] = {0};
  long length = syscall(SYS_read, file, text, sizeof text - 1);
  syscall(SYS_close, file);
  return length > 0 && sscanf(text, "%7s %d %d", operation, delay_ms, error) == 3;
}

static int is_regular(int file) {
  struct stat facts;
  int saved = errno;
  int is = syscall(SYS_fstat, file, &facts) == 0 && S_ISREG(facts.st_mode);
  errno = saved;
  return is;
}

/* 1 where the call must fail with errno as it is set. */
static int fails(const char *operation, int file) {
  char planned[8];
  int delay_ms = 0, error = 0;
  if (!is_regular(file) || !read_plan(planned, &delay_ms, &error)) return 0;
  if (strcmp(planned, operation) != 0 && strcmp(planned, "all") != 0) return 0;
  if (delay_ms > 0) {
    struct timespec pause = {delay_ms / 1000, (delay_ms % 1000) * 1000000L};
    nanosleep(&pause, NULL);
  }
  if (error == 0) return 0;
  errno = error;
  return 1;
}

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

int fsync(int file) { return fails("sync", file) ? -1 : REAL("fsync", int (*)(int))(file); }
int fdatasync(int file) { return fails("sync", file) ? -1 : REAL("fdatasync", int (*)(int))(file); }

ssize_t write(int file, const void *bytes, size_t count) {
  return fails("write", file) ? -1 : REAL("write", ssize_t (*)(int, const void *, size_t))(file, bytes, count);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  return fails("write", file) ? -1 : REAL("pwrite", ssize_t (*)(int, const void *, size_t, off_t))(file, bytes, count, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  return fails("write", file) ? -1 : REAL("pwrite64", ssize_t (*)(int, const void *, size_t, off64_t))(file, bytes, count, at);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  return fails("write", file) ? -1 : REAL("writev", ssize_t (*)(int, const struct iovec *, int))(file, parts, count);
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  return fails("write", file) ? -1 : REAL("pwritev", ssize_t (*)(int, const struct iovec *, int, off_t))(file, parts, count, at);
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) {
  return fails("write", file) ? -1 : REAL("pwritev64", ssize_t (*)(int, const struct iovec *, int, off64_t))(file, parts, count, at);
}
