// Functions that are compiled twice, for any processor and for those with AVX2 and FMA, of which the program takes what
// the processor has when it starts: sums of products in half of the instructions. What they call is compiled along with
// them where it is written out in its place: beside [[gnu::flatten]] all of which the source is at hand. Digits beyond
// rounding may differ from one sort of processor to the other, never from run to run. A member of a template is marked
// where it is written, in a file that is compiled alone (cmake/parts.cmake) if another one of its folder calls it:
// where it is called before it is written, the mark is lost without a word.
#pragma once

// Sanitizers are not there yet when the choice is made.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CARDAN_BY_PROCESSOR __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define CARDAN_BY_PROCESSOR
#endif
