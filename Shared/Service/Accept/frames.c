#include "frames.h"

#include <string.h>

size_t frame_head(const unsigned char *bytes, size_t count, uint64_t *body) {
    size_t head = count > 0 && (bytes[0] & FRAME_LONG) != 0 ? FRAME_HEAD_MAX : 2;
    if (count < head) return 0;
    *body = 0;
    for (size_t index = 1; index < head; index++) *body = *body << 8 | bytes[index];
    return head;
}

int is_heartbeat(const unsigned char *body, size_t count) {
    static const unsigned char ping[] = "\4PING", pong[] = "\4PONG";
    size_t name = sizeof ping - 1, context = 16, lifetime = 2;
    if (count < name) return 0;
    if (memcmp(body, ping, name) == 0) return count >= name + lifetime && count <= name + lifetime + context;
    return memcmp(body, pong, name) == 0 && count <= name + context;
}

/* A header is complete. Returns whether its frame is allowed. */
static int begin(struct message *message, uint64_t body, uint64_t bytes_max) {
    message->flags = message->head[0];
    message->head_count = 0;
    message->left = body;
    if (message->flags & FRAME_COMMAND) {
        message->command_count = 0;
        return body > 0 && body <= HEARTBEAT_MAX;
    }
    if (body > bytes_max || message->bytes + body > bytes_max) return 0;
    message->bytes += body;
    return ++message->frames <= MESSAGE_FRAMES_MAX;
}

/* A body is complete. Returns whether it is allowed. */
static int end(struct message *message) {
    if (message->flags & FRAME_COMMAND) return is_heartbeat(message->command, message->command_count);
    if ((message->flags & FRAME_MORE) == 0) message->frames = 0, message->bytes = 0;
    return 1;
}

int message_take(struct message *message, const unsigned char *bytes, size_t count, uint64_t bytes_max) {
    while (count > 0) {
        size_t taken = 1;
        uint64_t body;
        if (message->left == 0) {
            message->head[message->head_count++] = bytes[0];
            if (frame_head(message->head, message->head_count, &body) > 0) {
                if (!begin(message, body, bytes_max)) return 0;
                if (body == 0 && !end(message)) return 0;
            }
        } else {
            taken = message->left < count ? (size_t)message->left : count;
            if (message->flags & FRAME_COMMAND) {
                memcpy(message->command + message->command_count, bytes, taken);
                message->command_count += (uint8_t)taken;
            }
            message->left -= taken;
            if (message->left == 0 && !end(message)) return 0;
        }
        bytes += taken;
        count -= taken;
    }
    return 1;
}
