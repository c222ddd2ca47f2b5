/* What a subscriber says after its greeting, in frames of ZMTP 3: which topics it wants, and no longer wants.
 *
 * It is sifted before libzmq has it. libzmq 4.3.4 keeps each topic of each peer in a tree with a node for every byte,
 * before anybody is shown it, and walks the whole tree whenever a peer leaves: a peer that subscribes to a megabyte of
 * topics takes sixty, and makes each end of a connection last half a second. So only topics that somebody can publish
 * come to it. */
#ifndef SCREENTIME_SUBSCRIPTIONS_H
#define SCREENTIME_SUBSCRIPTIONS_H

#include "accept_limit.h"

#include <stddef.h>
#include <stdint.h>

/* A longer frame is no subscription: nine bytes in front, the command's name, a topic of 512 bytes. */
#define SUBSCRIPTION_FRAME_MAX (9 + 10 + 512)

struct subscriber {
    /* The beginning of a frame whose end has not come. */
    uint16_t held;
    unsigned char frame[SUBSCRIPTION_FRAME_MAX];
    /* The topics of its own that it has: their lengths, and they. */
    uint8_t own_lengths[ACCEPT_OWN_TOPICS];
    unsigned char own[ACCEPT_OWN_TOPICS][ACCEPT_OWN_TOPIC_BYTES];
    /* What it has of the others: of the first topic that begins so, a bit for the length. */
    uint64_t known[ACCEPT_TOPICS_MAX];
    /* How many changes it made lately, by when. */
    uint32_t changes;
    uint64_t changed_ms;
};

struct sifted {
    /* Bytes that are left. */
    size_t left;
    /* Subscriptions to what nobody publishes, which were taken out. */
    uint32_t refused;
    /* Subscriptions, and ends of some, that are left: libzmq tells of each. */
    uint32_t changes;
    /* What was sent is no frame of a subscriber, or one topic of its own too many: it must be disconnected. */
    unsigned char is_malformed, is_too_much;
};

/* How many topics of its own a subscriber has. */
size_t subscriber_own(const struct subscriber *subscriber);

/* Takes `count` bytes that came and leaves in `bytes`, which has room for these and for what is held, what libzmq may
 * have: whole frames, without subscriptions to what is neither a topic of `topics` nor the beginning of one, and without
 * repeats.
 * - own: what topics of a subscriber's own begin with. */
struct sifted subscriber_sift(
    struct subscriber *subscriber, const char *topics, const char *own, unsigned char *bytes, size_t count);

#endif
