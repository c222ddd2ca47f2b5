/* The input of a ZMTP 3 peer (rfc.zeromq.org/spec/23) before its first message: a greeting of 64 bytes, then one
 * command READY with properties.
 *
 * It is checked here because libzmq 4.3.4 does not: a ROUTER gives nameless peers ids that begin with a zero byte,
 * accepts such an id as a peer's chosen name, and aborts the process when it assigns that id itself (router.cpp, the
 * assertion of add_out_pipe). ZAP runs before READY arrives, so it cannot see the name. */
#ifndef SCREENTIME_GREETING_H
#define SCREENTIME_GREETING_H

#include <stddef.h>
#include <stdint.h>

/* How far the handshake is. All zero at the start. */
struct greeting {
    uint8_t part;
    /* Received bytes of the part. */
    uint8_t at;
    uint8_t length_bytes;
    /* Remaining bytes of a property's name or value. */
    uint32_t left;
    /* Remaining bytes of READY. */
    uint64_t ready_left;
    /* Whether the property's name is, or can still become, Identity. */
    uint8_t is_identity;
};

enum greeting_state { GREETING_GOES_ON, GREETING_DONE, GREETING_REFUSED };

/* Handles the next bytes of a peer up to the end of the greeting; `taken` is set to their number. Refuses peers of
 * older protocols, which send names in other forms, a first command other than READY, and a name that begins with a
 * zero byte. */
enum greeting_state greeting_take(struct greeting *greeting, const unsigned char *bytes, size_t count, size_t *taken);

#endif
