#include "greeting.h"

enum part { SIGNATURE, FLAGS, LENGTH, COMMAND, NAME_LENGTH, NAME, VALUE_LENGTH, VALUE, DONE };

static const size_t signature_bytes = 64;
static const char command[] = "\5READY";
static const char identity[] = "identity";

static void begin(struct greeting *greeting, enum part part) {
    greeting->part = part;
    greeting->at = 0;
}

/* 0xff, eight bytes, one with the lowest bit set, the major version; older protocols differ in one of these. */
static int signature_is_wrong(size_t at, unsigned char byte) {
    return (at == 0 && byte != 0xff) || (at == 9 && (byte & 1) == 0) || (at == 10 && byte < 3);
}

/* Handles one byte of READY's frame. Returns 0 if it is invalid. */
static int take_frame(struct greeting *greeting, unsigned char byte) {
    switch (greeting->part) {
    case FLAGS:
        /* A command, with a length of one byte or of eight. */
        if (byte != 4 && byte != 6) return 0;
        greeting->length_bytes = byte == 6 ? 8 : 1;
        begin(greeting, LENGTH);
        return 1;
    case LENGTH:
        greeting->ready_left = greeting->ready_left << 8 | byte;
        if (++greeting->at == greeting->length_bytes) begin(greeting, COMMAND);
        return 1;
    default: /* COMMAND */
        if (byte != (unsigned char)command[greeting->at]) return 0;
        if (++greeting->at == sizeof command - 1) begin(greeting, NAME_LENGTH);
        return 1;
    }
}

/* Handles one byte of a property: length of the name, name, length of the value in four bytes, value. */
static int take_property(struct greeting *greeting, unsigned char byte) {
    switch (greeting->part) {
    case NAME_LENGTH:
        greeting->left = byte;
        greeting->is_identity = byte == sizeof identity - 1;
        begin(greeting, byte > 0 ? NAME : VALUE_LENGTH);
        return 1;
    case NAME:
        if (greeting->is_identity) greeting->is_identity = (byte | 0x20) == identity[greeting->at];
        greeting->at++;
        if (--greeting->left == 0) begin(greeting, VALUE_LENGTH);
        return 1;
    case VALUE_LENGTH:
        greeting->left = greeting->left << 8 | byte;
        if (++greeting->at == 4) begin(greeting, greeting->left > 0 ? VALUE : NAME_LENGTH);
        return 1;
    default: /* VALUE */
        if (greeting->is_identity && byte == 0) return 0;
        /* Only the first byte matters. */
        greeting->is_identity = 0;
        if (--greeting->left == 0) begin(greeting, NAME_LENGTH);
        return 1;
    }
}

enum greeting_state greeting_take(struct greeting *greeting, const unsigned char *bytes, size_t count, size_t *taken) {
    for (*taken = 0; *taken < count && greeting->part != DONE;) {
        unsigned char byte = bytes[(*taken)++];
        if (greeting->part == SIGNATURE) {
            if (signature_is_wrong(greeting->at, byte)) return GREETING_REFUSED;
            if (++greeting->at == signature_bytes) begin(greeting, FLAGS);
            continue;
        }
        if (greeting->part >= COMMAND && greeting->ready_left-- == 0) return GREETING_REFUSED;
        if (!(greeting->part < NAME_LENGTH ? take_frame : take_property)(greeting, byte)) return GREETING_REFUSED;
        /* READY ends at the end of a property. */
        if (greeting->part >= COMMAND && greeting->ready_left == 0) {
            if (greeting->part != NAME_LENGTH) return GREETING_REFUSED;
            begin(greeting, DONE);
        }
    }
    return greeting->part == DONE ? GREETING_DONE : GREETING_GOES_ON;
}
