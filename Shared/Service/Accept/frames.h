/* What a peer says after its greeting, frame by frame as ZMTP 3 has it: a byte of flags, a length in one byte or in
 * eight, a body.
 *
 * libzmq 4.3.4 bounds each frame, and counts messages when their last frame has come: one that never ends takes all
 * memory. A PING shorter than its parts makes it answer with memory of its own. So messages and commands are bounded
 * before libzmq has them. */
#ifndef SCREENTIME_FRAMES_H
#define SCREENTIME_FRAMES_H

#include <stddef.h>
#include <stdint.h>

enum frame_flag { FRAME_MORE = 1, FRAME_LONG = 2, FRAME_COMMAND = 4 };

/* Bytes before a body, at most. */
#define FRAME_HEAD_MAX 9
/* Frames of one message of a client: its delimiter, its body, and some that are one too many. */
#define MESSAGE_FRAMES_MAX 16
/* A PING with what it asks to be told again; no command is longer. */
#define HEARTBEAT_MAX 23

/* The message of a client that is under way. */
struct message {
    /* The beginning of a head whose end has not come. */
    unsigned char head[FRAME_HEAD_MAX];
    uint8_t head_count;
    unsigned char flags;
    /* Bytes of the body that have not come. */
    uint64_t left;
    /* What came of a command. */
    unsigned char command[HEARTBEAT_MAX];
    uint8_t command_count;
    /* Of all its frames. */
    uint32_t frames;
    uint64_t bytes;
};

/* Bytes of a frame before its body, and of the body; 0: they have not come yet. */
size_t frame_head(const unsigned char *bytes, size_t count, uint64_t *body);

/* Whether a command's body is a PING or a PONG, with all its parts. */
int is_heartbeat(const unsigned char *body, size_t count);

/* Takes what came. Returns 0 when a message has more than MESSAGE_FRAMES_MAX frames or `bytes_max` bytes, or a command
 * is no heartbeat. */
int message_take(struct message *message, const unsigned char *bytes, size_t count, uint64_t bytes_max);

#endif
