/* The input of a peer after its greeting, as frames of ZMTP 3: a byte of flags, a length of one or eight bytes, a
 * body.
 *
 * libzmq 4.3.4 limits the size of each frame and counts messages when their last frame has arrived, so a message
 * that never ends uses all memory. A PING that is too short makes it send bytes of its own memory. Messages and
 * commands are therefore checked before libzmq receives them. */
#ifndef SCREENTIME_FRAMES_H
#define SCREENTIME_FRAMES_H

#include <stddef.h>
#include <stdint.h>

enum frame_flag { FRAME_MORE = 1, FRAME_LONG = 2, FRAME_COMMAND = 4 };

/* Longest header before a body, in bytes. */
#define FRAME_HEAD_MAX 9
/* Frames of one message of a client: its delimiter, its body and a few extra ones that are refused later. */
#define MESSAGE_FRAMES_MAX 16
/* A PING with its context, which the PONG returns; no command is longer. */
#define HEARTBEAT_MAX 23

/* The unfinished message of a client. */
struct message {
    /* An incomplete header. */
    unsigned char head[FRAME_HEAD_MAX];
    uint8_t head_count;
    unsigned char flags;
    /* Bytes of the body that have not arrived. */
    uint64_t left;
    /* The received bytes of a command. */
    unsigned char command[HEARTBEAT_MAX];
    uint8_t command_count;
    /* Over all its frames. */
    uint32_t frames;
    uint64_t bytes;
};

/* Length of a frame's header, and of its body; 0 if the header is incomplete. */
size_t frame_head(const unsigned char *bytes, size_t count, uint64_t *body);

/* Whether a command's body is a complete PING or PONG. */
int is_heartbeat(const unsigned char *body, size_t count);

/* Checks input. Returns 0 if a message has more than MESSAGE_FRAMES_MAX frames or `bytes_max` bytes, or if a command
 * is not a heartbeat. */
int message_take(struct message *message, const unsigned char *bytes, size_t count, uint64_t bytes_max);

#endif
