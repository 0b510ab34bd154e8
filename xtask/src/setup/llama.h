// Included before each C++ file of llama.cpp.
//
// GCC 12 tells its optimiser that loading a configuration of the tile registers (AMX) reads one pointer's bytes of it, which then
// leaves out what is written to the rest: tiles of no rows, and the first use of one is an illegal instruction.
#pragma once

#if defined(__AMX_TILE__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#undef _tile_loadconfig
#define _tile_loadconfig(config) __asm__ volatile("ldtilecfg\t%0" ::"m"(*(const char(*)[64])(config)))
#endif
