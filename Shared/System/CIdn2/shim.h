/* libidn2 is loaded when the first name comes that is not ASCII, as getaddrinfo(3) does it: this module is part of
 * every extension program, and most never see such a name. Who compiles a program needs no idn2.h, either; where it
 * is, the compiler compares these declarations with it. */
#include <dlfcn.h>
#include <stdlib.h>

#if __has_include(<idn2.h>)
#include <idn2.h>
_Static_assert(IDN2_NFC_INPUT == 1 && IDN2_NONTRANSITIONAL == 8 && IDN2_OK == 0, "the numbers of idn2.h");
#endif

int idn2_to_ascii_8z(const char *name, char **ascii, int flags);
int idn2_to_unicode_8z8z(const char *ascii, char **name, int flags);

static inline void *shim_idn2(const char *function) {
    void *library = dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, function) : NULL;
}

/* UTS 46 without the transitional rules, as browsers have it: ß stays what it is. The string is to be freed with
 * free(3). NULL: libidn2 refuses the name, or is not installed. */
static inline char *shim_idn2_ascii(const char *name) {
    __typeof__(idn2_to_ascii_8z) *convert = (__typeof__(convert))shim_idn2("idn2_to_ascii_8z");
    char *ascii = NULL;
    return convert && convert(name, &ascii, 1 | 8) == 0 ? ascii : NULL;
}

/* The same in the other direction. It does not ask whether the name is one that has this form in ASCII. */
static inline char *shim_idn2_unicode(const char *ascii) {
    __typeof__(idn2_to_unicode_8z8z) *convert = (__typeof__(convert))shim_idn2("idn2_to_unicode_8z8z");
    char *name = NULL;
    return convert && convert(ascii, &name, 1 | 8) == 0 ? name : NULL;
}
