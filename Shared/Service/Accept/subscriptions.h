/* The input of a subscriber after its greeting, as frames of ZMTP 3: subscriptions and their ends.
 *
 * It is filtered before libzmq receives it. libzmq 4.3.4 stores each topic of each peer in a tree with a node per
 * byte, before the application sees it, and walks the whole tree whenever a peer leaves. A peer that subscribes to a
 * megabyte of topics uses sixty, and makes each disconnection take half a second. Therefore only topics that can be
 * published pass. */
#ifndef SCREENTIME_SUBSCRIPTIONS_H
#define SCREENTIME_SUBSCRIPTIONS_H

#include "accept_limit.h"

#include <stddef.h>
#include <stdint.h>

/* A longer frame is not a subscription: a header of nine bytes, the command's name, a topic of 512 bytes. */
#define SUBSCRIPTION_FRAME_MAX (9 + 10 + 512)

struct subscriber {
    /* An incomplete frame. */
    uint16_t held;
    unsigned char frame[SUBSCRIPTION_FRAME_MAX];
    /* Topics that the subscriber chose itself, with their lengths. */
    uint8_t own_lengths[ACCEPT_OWN_TOPICS];
    unsigned char own[ACCEPT_OWN_TOPICS][ACCEPT_OWN_TOPIC_BYTES];
    /* Other topics that it subscribed to: for the first topic with that prefix, one bit per prefix length. */
    uint64_t known[ACCEPT_TOPICS_MAX];
    /* Number of recent changes, and the time of the last one. */
    uint32_t changes;
    uint64_t changed_ms;
};

struct sifted {
    /* Bytes that remain. */
    size_t left;
    /* Subscriptions to unpublished topics, which were removed. */
    uint32_t refused;
    /* Subscribes and unsubscribes that remain; libzmq reports each. */
    uint32_t changes;
    /* The input is not a subscription, or has one self-chosen topic too many: disconnect. */
    unsigned char is_malformed, is_too_much;
};

/* Number of topics that a subscriber chose itself. */
size_t subscriber_own(const struct subscriber *subscriber);

/* Filters `count` received bytes in place. `bytes` must have room for these and for the held bytes; it then contains
 * what libzmq may receive: complete frames, without subscriptions to anything but topics of `topics` and their
 * prefixes, and without repeats.
 * - own: prefix of topics that subscribers choose themselves. */
struct sifted subscriber_sift(
    struct subscriber *subscriber, const char *topics, const char *own, unsigned char *bytes, size_t count);

#endif
