/* What a peer of ZMTP 3 (rfc.zeromq.org/spec/23) says before its first message: a greeting of 64 bytes, then one
 * command READY with properties.
 *
 * It is judged here because libzmq 4.3.4 does not do it: a ROUTER numbers nameless peers with ids that begin with a
 * zero byte, takes such an id from a peer that names itself so, and ends the process when it comes to that number
 * itself (router.cpp, the assertion of add_out_pipe). ZAP is asked before READY came, and never hears of a name. */
#ifndef SCREENTIME_GREETING_H
#define SCREENTIME_GREETING_H

#include <stddef.h>
#include <stdint.h>

/* How far a peer has come. All zero: it has said nothing. */
struct greeting {
    uint8_t part;
    /* Bytes of the part that came. */
    uint8_t at;
    uint8_t length_bytes;
    /* Bytes of a property's name or value that are left. */
    uint32_t left;
    /* Bytes of READY that are left. */
    uint64_t ready_left;
    /* Whether the property's name is, or may still become, the peer's own name. */
    uint8_t is_identity;
};

enum greeting_state { GREETING_GOES_ON, GREETING_DONE, GREETING_REFUSED };

/* Takes the next bytes of a peer, up to the end of the greeting; `taken`: how many that were. Refused are peers of
 * older protocols, which have other forms of a name; another first command than READY; and a name that begins with a
 * zero byte. */
enum greeting_state greeting_take(struct greeting *greeting, const unsigned char *bytes, size_t count, size_t *taken);

#endif
