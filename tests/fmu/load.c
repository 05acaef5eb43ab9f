/* Finds functions in the object of an FMU. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "master.h"

void find(const Master* m, const char* name, void* place) {
  void* found = dlsym(m->library, name);
  if (found == NULL) {
    printf("there is no %s\n", name);
    exit(1);
  }
  memcpy(place, &found, sizeof found);
}

void load(Master* m) {
  m->library = dlopen(m->object, RTLD_NOW | RTLD_LOCAL);
  if (m->library == NULL) {
    printf("%s\n", dlerror());
    exit(1);
  }
  if (m->version == 2) load2(m);
  if (m->version == 3) load3(m);
}
