#include "subscriptions.h"

#include <string.h>

static const unsigned char subscribe[] = "\x09SUBSCRIBE", cancel[] = "\x06" "CANCEL";

struct topic {
    const unsigned char *bytes;
    size_t count;
    int is_wanted;
};

/* Whether a frame's body says which topic is wanted, or not any more. By ZMTP 3.1 it is a command, before a message. */
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

/* Whether it is one of these, or the beginning of one. */
static int is_known(const struct topic *topic, const char *topics) {
    for (const char *known = topics; *known != 0; known += strlen(known) + 1)
        if (topic->count <= strlen(known) && memcmp(known, topic->bytes, topic->count) == 0) return 1;
    return 0;
}

static int own_place(const struct subscriber *subscriber, const struct topic *topic) {
    for (int place = 0; place < ACCEPT_OWN_TOPICS; place++)
        if (topic->count == subscriber->own_lengths[place] &&
            memcmp(subscriber->own[place], topic->bytes, topic->count) == 0)
            return place;
    return -1;
}

/* A topic of its own is remembered while it is wanted. Returns whether libzmq may have it. */
static int take_own(struct subscriber *subscriber, const struct topic *topic, struct sifted *sifted) {
    int place = own_place(subscriber, topic);
    if (!topic->is_wanted) {
        if (place >= 0) subscriber->own_lengths[place] = 0;
        return place >= 0;
    }
    if (place >= 0) return 1;
    if (topic->count > ACCEPT_OWN_TOPIC_BYTES) return 0;
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

/* Bytes before a frame's body, and of the body; 0: they have not come yet. */
static size_t read_head(const unsigned char *bytes, size_t count, uint64_t *body) {
    size_t head = count > 0 && (bytes[0] & 2) != 0 ? 9 : 2;
    if (count < head) return 0;
    *body = 0;
    for (size_t index = 1; index < head; index++) *body = *body << 8 | bytes[index];
    return head;
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
        size_t head = read_head(next, left, &body);
        sifted.is_malformed = head > 0 && body > SUBSCRIPTION_FRAME_MAX - 9;
        if (sifted.is_malformed) return sifted;
        if (head == 0 || left < head + body) break;
        struct topic topic;
        int passes = 1;
        if (read_topic((next[0] & 4) != 0, next + head, body, &topic)) {
            size_t length = strlen(own);
            int is_own = topic.count > length && memcmp(topic.bytes, own, length) == 0;
            passes = is_own ? take_own(subscriber, &topic, &sifted) : is_known(&topic, topics);
            if (sifted.is_too_much) return sifted;
            if (!passes && topic.is_wanted) sifted.refused++;
        }
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
