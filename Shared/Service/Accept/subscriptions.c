#include "subscriptions.h"

#include "frames.h"

#include <string.h>

static const unsigned char subscribe[] = "\x09SUBSCRIBE", cancel[] = "\x06" "CANCEL";

struct topic {
    const unsigned char *bytes;
    size_t count;
    int is_wanted;
};

/* Whether a frame's body subscribes to a topic or unsubscribes. In ZMTP 3.1 that is a command, earlier a message. */
static int read_topic(int is_command, const unsigned char *body, size_t count, struct topic *topic) {
    size_t name;
    if (is_command && count >= sizeof subscribe - 1 && memcmp(body, subscribe, sizeof subscribe - 1) == 0) {
        name = sizeof subscribe - 1;
        topic->is_wanted = 1;
    } else if (is_command && count >= sizeof cancel - 1 && memcmp(body, cancel, sizeof cancel - 1) == 0) {
        name = sizeof cancel - 1;
        topic->is_wanted = 0;
    } else if (!is_command && count > 0 && body[0] <= 1) {
        name = 1;
        topic->is_wanted = body[0];
    } else {
        return 0;
    }
    topic->bytes = body + name;
    topic->count = count - name;
    return 1;
}

/* Index of the first known topic that it equals or is a prefix of; -1 if none. */
static int known_place(const struct topic *topic, const char *topics) {
    int place = 0;
    for (const char *known = topics; *known != 0; known += strlen(known) + 1, place++)
        if (topic->count <= strlen(known) && memcmp(known, topic->bytes, topic->count) == 0) return place;
    return -1;
}

/* Handles a published topic or a prefix of one. Repeats are dropped, since libzmq would report them, too. */
static int take_known(struct subscriber *subscriber, const struct topic *topic, const char *topics, struct sifted *sifted) {
    int place = known_place(topic, topics);
    if (place < 0) {
        sifted->refused += topic->is_wanted;
        return 0;
    }
    uint64_t bit = (uint64_t)1 << topic->count;
    if (((subscriber->known[place] & bit) != 0) == topic->is_wanted) return 0;
    subscriber->known[place] ^= bit;
    return 1;
}

static int own_place(const struct subscriber *subscriber, const struct topic *topic) {
    for (int place = 0; place < ACCEPT_OWN_TOPICS; place++)
        if (topic->count == subscriber->own_lengths[place] &&
            memcmp(subscriber->own[place], topic->bytes, topic->count) == 0)
            return place;
    return -1;
}

/* Handles a topic that the subscriber chose itself; it is stored while subscribed. Returns whether libzmq may
 * receive it. */
static int take_own(struct subscriber *subscriber, const struct topic *topic, struct sifted *sifted) {
    int place = own_place(subscriber, topic);
    if (!topic->is_wanted) {
        if (place >= 0) subscriber->own_lengths[place] = 0;
        return place >= 0;
    }
    if (place >= 0) return 0;
    if (topic->count > ACCEPT_OWN_TOPIC_BYTES) {
        sifted->refused++;
        return 0;
    }
    for (place = 0; place < ACCEPT_OWN_TOPICS && subscriber->own_lengths[place] != 0;) place++;
    sifted->is_too_much = place == ACCEPT_OWN_TOPICS;
    if (sifted->is_too_much) return 0;
    memcpy(subscriber->own[place], topic->bytes, topic->count);
    subscriber->own_lengths[place] = (uint8_t)topic->count;
    return 1;
}

size_t subscriber_own(const struct subscriber *subscriber) {
    size_t sum = 0;
    for (int place = 0; place < ACCEPT_OWN_TOPICS; place++) sum += subscriber->own_lengths[place] != 0;
    return sum;
}

/* Whether libzmq may receive a frame with this body. */
static int take_frame(
    struct subscriber *subscriber, const char *topics, const char *own, unsigned char flags, const unsigned char *body,
    size_t count, struct sifted *sifted) {
    struct topic topic;
    int is_command = (flags & FRAME_COMMAND) != 0;
    if (!read_topic(is_command, body, count, &topic)) {
        /* libzmq would deliver anything else to us as a message, without a limit. */
        sifted->is_malformed = !is_command || !is_heartbeat(body, count);
        return 1;
    }
    size_t length = strlen(own);
    int is_own = topic.count > length && memcmp(topic.bytes, own, length) == 0;
    int passes = is_own ? take_own(subscriber, &topic, sifted) : take_known(subscriber, &topic, topics, sifted);
    if (passes) sifted->changes++;
    return passes;
}

struct sifted subscriber_sift(
    struct subscriber *subscriber, const char *topics, const char *own, unsigned char *bytes, size_t count) {
    struct sifted sifted = {0};
    unsigned char all[SUBSCRIPTION_FRAME_MAX + ACCEPT_SIFTED_MAX];
    size_t left = subscriber->held + count;
    const unsigned char *next = all;
    memcpy(all, subscriber->frame, subscriber->held);
    memcpy(all + subscriber->held, bytes, count);
    for (;;) {
        uint64_t body;
        size_t head = frame_head(next, left, &body);
        /* A subscription is never multipart. */
        sifted.is_malformed = head > 0 && (body > SUBSCRIPTION_FRAME_MAX - FRAME_HEAD_MAX || (next[0] & FRAME_MORE) != 0);
        if (sifted.is_malformed) return sifted;
        if (head == 0 || left < head + body) break;
        int passes = take_frame(subscriber, topics, own, next[0], next + head, body, &sifted);
        if (sifted.is_malformed || sifted.is_too_much) return sifted;
        if (passes) {
            memcpy(bytes + sifted.left, next, head + body);
            sifted.left += head + body;
        }
        next += head + body;
        left -= head + body;
    }
    memcpy(subscriber->frame, next, left);
    subscriber->held = (uint16_t)left;
    return sifted;
}
