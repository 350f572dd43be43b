/* fuzz_miniprof.c - decodes any packet bodies, each preceded by its size. Events must be of the dialect's kinds, a
 * call's times must not wrap, and the number of calls must match the dialect's count. */
#include "fuzz.h"

#include "dialect/dialect.h"
#include "protocol/bytes.h"
#include "protocol/tree_writer.h"

struct count {
    bool is_told[EVENT_NODES_MAX]; /* nodes sent since the target last began to count */
    bool in_window;
    uint64_t calls, opened; /* finished calls; calls whose begin was sent */
};

/* Reads the setting's texts, which must be inside the packet. */
static void touch(const struct event_setting *setting)
{
    static volatile char byte;
    for (size_t i = 0; i < setting->name_n; i++)
        byte = setting->name[i];
    for (size_t i = 0; i < setting->unit_n; i++)
        byte = setting->unit[i];
    (void)byte;
}

/* Checks that a node is sent after its parent. */
static void check_node(struct count *count, const struct event_node *node)
{
    FUZZ_CHECK(node->number < EVENT_NODES_MAX);
    FUZZ_CHECK(node->parent == EVENT_NO_NODE ||
               (node->parent < node->number && count->is_told[node->parent]));
    count->is_told[node->number] = true;
}

static void check_below(const struct count *count, uint32_t number)
{
    FUZZ_CHECK(number == EVENT_NO_NODE || (number < EVENT_NODES_MAX && count->is_told[number]));
}

/* Checks that a window's events are between its begin and its end, unless the dialect was reset. */
static void check_window(struct count *count, const struct event *event)
{
    FUZZ_CHECK(event->window.stage <= WINDOW_ENDS);
    if (event->window.stage != WINDOW_BEGINS)
        FUZZ_CHECK(count->in_window);
    count->in_window = event->window.stage != WINDOW_ENDS;
}

static void take(void *user, const struct event *events, size_t n)
{
    struct count *count = user;
    FUZZ_CHECK(n > 0);
    bool of_calls = events[0].kind == EVENT_ENTER || events[0].kind == EVENT_EXIT;
    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(!of_calls || events[i].kind != EVENT_CLOCK);
        FUZZ_CHECK(count->in_window || events[i].kind == EVENT_CALL || !(events[i].flags & EVENT_KEPT));
        switch (events[i].kind) {
        case EVENT_CALL:
            count->calls++;
            FUZZ_CHECK(events[i].ticks + events[i].call.duration >= events[i].ticks);
            FUZZ_CHECK(events[i].ticks > 0 && events[i].call.duration <= UINT32_MAX);
            break;
        case EVENT_ENTER: count->opened++; break;
        case EVENT_EXIT: FUZZ_CHECK(count->opened > 0); break;
        case EVENT_OPEN:
            FUZZ_CHECK(events[i].depth < UINT16_MAX);
            count->opened++;
            break;
        case EVENT_NODE: check_node(count, events[i].node); break;
        case EVENT_RUN: break;
        case EVENT_RECOUNT: memset(count->is_told, 0, sizeof count->is_told); break;
        case EVENT_WINDOW: check_window(count, &events[i]); break;
        case EVENT_BELOW: check_below(count, events[i].below.number); break;
        case EVENT_EVICTED:
        case EVENT_ROOM:
        case EVENT_OUTSIDE:
        case EVENT_ARC:
        case EVENT_STACK:
        case EVENT_SWITCH:
        case EVENT_CONTEXT:
        case EVENT_TARGET:
        case EVENT_CLOCK:
        case EVENT_STATUS:
        case EVENT_ANSWER:
        case EVENT_CLOSED:
        case EVENT_LOST: break;
        case EVENT_DESCRIPTION:
            FUZZ_CHECK(events[i].description->setting_count <= EVENT_SETTINGS_MAX);
            for (size_t j = 0; j < events[i].description->setting_count; j++)
                touch(&events[i].description->settings[j]);
            break;
        default: FUZZ_CHECK(!"an event of this kind");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct dialect *dialect = dialect_find("miniprof");
    void *state = fuzz_state(dialect->state_size);
    FUZZ_CHECK(dialect->start(state, &(struct dialect_settings){0}, NULL));
    static struct count count;
    memset(&count, 0, sizeof count);
    struct event_out out = {.batch = take, .user = &count};
    dialect->probe(data, size);
    for (struct mp_bytes bytes = mp_bytes_over(data, size); bytes.left;) {
        size_t n = mp_bytes_u16(&bytes);
        if (n > bytes.left)
            n = bytes.left;
        const uint8_t *body = mp_bytes_take(&bytes, n);
        uint8_t *exact = malloc(n ? n : 1);
        FUZZ_CHECK(exact);
        if (n)
            memcpy(exact, body, n);
        dialect->decode(state, exact, n, &out);
        free(exact);
        if (n % 7 == 3)
            dialect->reset(state);
    }
    FUZZ_CHECK(dialect->health(state)->records >= count.calls);
    return 0;
}

static void body(struct stream *stream, const struct stream *packet)
{
    stream_byte(stream, (uint8_t)(packet->n - 5));
    stream_byte(stream, (uint8_t)((packet->n - 5) >> 8));
    stream_bytes(stream, packet->bytes + 2, packet->n - 5);
}

/* The compact stream: packets of one run, with a loss between them (protocol/SPEC.md section 10.7). */
static const uint8_t first[] = {0x02, 0x13, 0x00, 0x00, 0x00, 0x30, 0x64, 0x00, 0x00, 0x00, 0x00, 0x01, 0xC6,
                                0xC0, 0xF0, 0xF5, 0x0B, 0xC7, 0x00, 0x80, 0x08, 0x5A, 0xC0, 0x80, 0x02, 0x0A,
                                0xC4, 0x1F, 0x00, 0x05, 0xC0, 0x80, 0x02, 0x00, 0x05, 0xC4, 0x00, 0x02, 0x05,
                                0x00, 0xC5, 0x05, 0x01, 0x01, 0x00, 0xBC, 0x42, 0xD3, 0xE3, 0x08};
static const uint8_t later[] = {0x02, 0x13, 0x18, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00, 0x00,
                                0x01, 0xC0, 0x80, 0x82, 0x80, 0x40, 0x0A, 0xC0, 0x7F, 0x0A, 0x14,
                                0x0A, 0x80, 0x0A, 0x0A, 0x14, 0x0A, 0x0A, 0x0A, 0x14, 0x0A};

/* A window (section 13.4). */
static const uint8_t window[] = {0x02, 0x17, 0x00, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00, 0x00, 0x01, 0xC6,
                                 0xC0, 0xF0, 0xF5, 0x0B, 0xCA, 0x01, 0x80, 0x0A, 0xAC, 0x02, 0xC0, 0x02, 0x02,
                                 0xC7, 0x00, 0xFF, 0x01, 0x00, 0xC0, 0x80, 0x02, 0x14, 0x78, 0xB4, 0xCB};

/* The call tree, and its flat form (section 12.6). */
static const uint8_t tree[] = {0x03, 0x10, 0x07, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00, 0x89, 0xCF,
                               0x95, 0x9A, 0x12, 0xC0, 0xF0, 0xF5, 0x0B, 0xAC, 0x02, 0x80, 0x04, 0x00,
                               0x00, 0x80, 0x82, 0x80, 0x40, 0x01, 0xF4, 0x03, 0x01, 0x01, 0x7F, 0xAC,
                               0x02, 0x80, 0xC0, 0x95, 0x9A, 0x12, 0xC4, 0x1F, 0xC0, 0xC8, 0x01, 0x00,
                               0xC7, 0x01, 0x10, 0x02, 0x03, 0xC8, 0x02, 0x00, 0x05, 0x28, 0xC9, 0x00,
                               0x01, 0x04, 0x69, 0x64, 0x6C, 0x65, 0xCA, 0x00, 0x02, 0xCA, 0x02, 0x00};
static const uint8_t flat[] = {0x03, 0x17, 0x00, 0x00, 0x00, 0x30, 0xE8, 0x03, 0x00, 0x00, 0x64, 0xC0, 0xF0,
                               0xF5, 0x0B, 0xAC, 0x02, 0x80, 0x04, 0x00, 0x00, 0x80, 0x04, 0x07, 0x32, 0xFF,
                               0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x01, 0x00, 0x00, 0x08,
                               0x32, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01};

/* A tree whose nodes give up their slots (section 12.9). */
static void evicting(struct stream *packet, uint32_t number)
{
    uint8_t payload[300 + MP_TREE_RECORD_MAX];
    struct mp_tree_writer writer;
    mp_tree_begin(&writer, payload, 300, 0,
                  &(struct mp_tree_head){.flags = MP_TREE_EVICTS,
                                         .run = 5,
                                         .number = number,
                                         .time = 1000 * number,
                                         .elapsed = 1000 * number,
                                         .hz = 25000000,
                                         .nodes = 4,
                                         .room = 4,
                                         .bound = 10 * number,
                                         .evictions = number});
    mp_tree_write_evicted(&writer, &(struct mp_tree_evicted){0, 1, number, 0});
    mp_tree_write_evicted(&writer, &(struct mp_tree_evicted){0x400, number, 100 * number, 0});
    mp_tree_write_below(&writer, 2, &(struct mp_tree_below){0, 7, 90 * number});
    mp_tree_write_below(&writer, 2, &(struct mp_tree_below){MP_TREE_NO_PARENT, 0, 11 * number});
    for (uint32_t i = 0; i < 4; i++)
        mp_tree_write_row(&writer, &(struct mp_tree_row){.node = i,
                                                         .parent = i ? i - 1 : MP_TREE_NO_PARENT,
                                                         .function = 0x100 * (i + number % 2 * (i == 3)),
                                                         .context = 2,
                                                         .calls = number,
                                                         .ticks = 50 * number,
                                                         .generation = i == 3 ? number : 7,
                                                         .parent_generation = i ? 7 : 0});
    mp_tree_write_round(&writer, &(struct mp_tree_round){number, 1});
    stream_packet(packet, MP_PROFILE_DATA, payload, writer.at);
}

void fuzz_begin_with(struct stream *stream)
{
    for (uint32_t i = 0; i < 21; i++) {
        struct stream packet = {0};
        if (i == 3)
            stream_metadata(&packet, &(struct mp_metadata){48000000, 1000000, 1, "v1"});
        else if (i == 6)
            stream_status(&packet, &(struct mp_status){1, 2, 3, 4});
        else if (i == 9)
            stream_packet(&packet, MP_ACK, NULL, 0);
        else if (i == 12 || i == 13)
            stream_packet(&packet, MP_PROFILE_DATA, i == 12 ? first : later,
                          i == 12 ? sizeof first : sizeof later);
        else if (i == 14 || i == 15)
            stream_packet(&packet, MP_PROFILE_DATA, i == 14 ? tree : flat,
                          i == 14 ? sizeof tree : sizeof flat);
        else if (i == 16)
            stream_packet(&packet, MP_PROFILE_DATA, window, sizeof window);
        else if (i >= 18)
            evicting(&packet, i - 17);
        else if (i == 10)
            stream_packet(&packet, MP_DESCRIPTION,
                          "\1\6@xJ\x17\0\1\x20\0\2\0\4\1\1\1\0\0\0\xff\0\0\0\x14\0\0\0\6packet\7records", 42);
        else
            stream_records(
                &packet,
                (struct mp_record[]){{0x101, 0x40000000 * i, i, 1}, {0x201, 0x3FFFFFFF * i, 0xFFFFFFFF, 0}},
                1 + i % 2);
        body(stream, &packet);
        stream_fini(&packet);
    }
}
