/* The version of this library, the one place where it is written: the build reads it from here. C99. */
#ifndef CARDAN_VERSION_H
#define CARDAN_VERSION_H

#define CARDAN_VERSION_MAJOR 0
#define CARDAN_VERSION_MINOR 1
#define CARDAN_VERSION_PATCH 0

/* For the preprocessor: #if CARDAN_VERSION_NUMBER >= CARDAN_VERSION_OF(0, 2, 0) */
#define CARDAN_VERSION_OF(major, minor, patch) ((major) * 1000000 + (minor) * 1000 + (patch))
#define CARDAN_VERSION_NUMBER CARDAN_VERSION_OF(CARDAN_VERSION_MAJOR, CARDAN_VERSION_MINOR, CARDAN_VERSION_PATCH)

/* "0.1.0" */
#define CARDAN_VERSION_TEXT_OF(major, minor, patch) #major "." #minor "." #patch
#define CARDAN_VERSION_TEXT(major, minor, patch) CARDAN_VERSION_TEXT_OF(major, minor, patch)
#define CARDAN_VERSION CARDAN_VERSION_TEXT(CARDAN_VERSION_MAJOR, CARDAN_VERSION_MINOR, CARDAN_VERSION_PATCH)

#endif
