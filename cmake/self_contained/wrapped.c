/* Archives of the system are compiled for programs and reach these two objects of libc directly, which code in a shared object
 * may not. The linker turns their references to the copies here (--wrap). */
#include <stdio.h>

/* Only ever a hint that threads are absent: that they are not is always safe. */
char __wrap___libc_single_threaded = 0;

FILE* __wrap_stderr;
extern FILE* __real_stderr;
__attribute__((constructor)) static void find_stderr(void) { __wrap_stderr = __real_stderr; }
