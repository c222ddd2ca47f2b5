// The reference of the bus benchmark: the same bytes over the same socket types, without JSON, in C.
//   bench-raw answer ENDPOINT ANSWER_FILE            echo server: answers each request with the file's bytes
//   bench-raw ask ENDPOINT REQUEST_FILE COUNT WINDOW prints nanoseconds of all COUNT requests, WINDOW open at once
//   bench-raw publish ENDPOINT EVENT_FILE COUNT      publishes COUNT events when a line comes on standard input
//   bench-raw take ENDPOINT COUNT                    prints nanoseconds from the first to the last event
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zmq.h>

static char bytes[1 << 20];
static size_t length;

static void load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
}

static long long now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void *open_socket(int type) {
    void *socket = zmq_socket(zmq_ctx_new(), type);
    int unlimited = 0;
    zmq_setsockopt(socket, ZMQ_SNDHWM, &unlimited, sizeof unlimited);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &unlimited, sizeof unlimited);
    return socket;
}

static void answer(const char *endpoint) {
    void *socket = open_socket(ZMQ_ROUTER);
    if (zmq_bind(socket, endpoint)) { perror("bind"); exit(1); }
    puts("READY"); fflush(stdout);
    zmq_msg_t route, body;
    for (;;) {
        zmq_msg_init(&route); zmq_msg_init(&body);
        zmq_msg_recv(&route, socket, 0);
        zmq_msg_recv(&body, socket, 0);
        zmq_msg_close(&body);
        zmq_msg_send(&route, socket, ZMQ_SNDMORE);
        zmq_send(socket, bytes, length, 0);
    }
}

static void ask(const char *endpoint, long count, long window) {
    void *socket = open_socket(ZMQ_DEALER);
    zmq_connect(socket, endpoint);
    zmq_msg_t body;
    long sent = 0, taken = 0;
    long long start = 0;
    while (taken < count) {
        while (sent < count && sent - taken < window) { zmq_send(socket, bytes, length, 0); sent++; }
        zmq_msg_init(&body);
        zmq_msg_recv(&body, socket, 0);
        zmq_msg_close(&body);
        if (++taken == 1) start = now_ns();
    }
    printf("%lld\n", (now_ns() - start) * count / (count - 1));
}

static void publish(const char *endpoint, long count) {
    void *socket = open_socket(ZMQ_XPUB);
    if (zmq_bind(socket, endpoint)) { perror("bind"); exit(1); }
    puts("READY"); fflush(stdout);
    zmq_recv(socket, (char[64]){0}, 64, 0);
    for (long index = 0; index < count; index++) {
        zmq_send(socket, "usage.recorded", 14, ZMQ_SNDMORE);
        zmq_send(socket, bytes, length, 0);
    }
    getchar();
}

static void take(const char *endpoint, long count) {
    void *socket = open_socket(ZMQ_SUB);
    zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "usage.recorded", 14);
    zmq_connect(socket, endpoint);
    zmq_msg_t topic, body;
    long long start = 0;
    for (long taken = 0; taken < count; taken++) {
        zmq_msg_init(&topic); zmq_msg_init(&body);
        zmq_msg_recv(&topic, socket, 0);
        zmq_msg_recv(&body, socket, 0);
        zmq_msg_close(&topic); zmq_msg_close(&body);
        if (taken == 0) start = now_ns();
    }
    printf("%lld\n", (now_ns() - start) * count / (count - 1));
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "answer")) { load(argv[3]); answer(argv[2]); }
    else if (argc == 6 && !strcmp(argv[1], "ask")) { load(argv[3]); ask(argv[2], atol(argv[4]), atol(argv[5])); }
    else if (argc == 5 && !strcmp(argv[1], "publish")) { load(argv[3]); publish(argv[2], atol(argv[4])); }
    else if (argc == 4 && !strcmp(argv[1], "take")) take(argv[2], atol(argv[3]));
    else { fprintf(stderr, "see the comment at the top of Tests/Benchmarks/raw/main.c\n"); return 64; }
    return 0;
}
