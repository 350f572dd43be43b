/* board.c - the example on an ordinary Linux machine: options, time, the interrupt, and the program's
 * .text. */
#include "board.h"

#include "counts.h"
#include "link.h"
#include "mpt_port.h"
#include "text.h"
#include "uart.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

volatile sig_atomic_t board_masked;
volatile sig_atomic_t board_pending;
volatile sig_atomic_t board_exception;

static uint32_t option_rounds;
static uint32_t option_pace_ms = 20;
static uint32_t option_uart;
static struct mpt_uart_faults option_faults;
static uint32_t ticks_at_open;

static const char usage[] =
    "usage: example-host [--tcp PORT | --unix PATH | --stdio | --uart BAUD] [--rounds N] [--pace-ms N]\n"
    "       example-host --counts\n"
    "\n"
    "A motor controller's firmware in outline, profiled: it speaks the MiniProfiler protocol on a pty,\n"
    "whose path is the first line it prints, or on the link that an option selects.\n"
    "  --tcp PORT    listen on 127.0.0.1, PORT 0 picks a free one\n"
    "  --unix PATH   listen on a Unix socket\n"
    "  --stdio       commands on standard input, packets on standard output\n"
    "  --uart BAUD   the pty behaves like a UART that begins at BAUD: bytes are garbage while the host's\n"
    "                end has another rate, and the host may change it; these simulate faults:\n"
    "    --uart-good N    at rates above N baud all bytes are garbage\n"
    "    --uart-lasts MS  a changed rate works for MS ms, then every byte is wrong until it is changed back\n"
    "    --uart-mute      the answer that agrees to another rate is lost\n"
    "  --rounds N    run N rounds after each START, then stay idle; 0 (default): run without end\n"
    "  --pace-ms N   milliseconds between rounds when running without end, default 20\n"
    "  --counts      print the calls of one round as JSON and exit\n";

static void print_counts(void)
{
    const char *separator = "";

    printf("{\"calls_per_round\": %d, \"functions\": %d, \"edges\": [", EXAMPLE_CALLS_PER_ROUND,
           EXAMPLE_FUNCTIONS);
#define PRINT_EDGE(caller, callee, calls)                                                                    \
    printf("%s\n  {\"caller\": \"%s\", \"callee\": \"%s\", \"calls\": %d}", separator, caller, callee,       \
           calls);                                                                                           \
    separator = ",";
    EXAMPLE_EDGES(PRINT_EDGE)
    printf("\n], \"demangled\": {");
    separator = "";
#define PRINT_DEMANGLED(symbol, name)                                                                        \
    printf("%s\n  \"%s\": \"%s\"", separator, symbol, name);                                                 \
    separator = ",";
    EXAMPLE_DEMANGLED(PRINT_DEMANGLED)
    printf("\n}}\n");
}

static void wrong_usage(void)
{
    fputs(usage, stderr);
    exit(2);
}

static uint32_t number(const char *text, unsigned long max)
{
    char *end;
    unsigned long value = strtoul(text ? text : "", &end, 10);

    if (!text || end == text || *end || value > max)
        wrong_usage();
    return (uint32_t)value;
}

void board_take_interrupt(void)
{
    sig_atomic_t before = board_exception;

    board_pending = 0;
    board_exception = 1;
    ADC_IRQHandler();
    board_exception = before;
}

static void on_signal(int signal_number)
{
    if (board_masked)
        board_pending = 1;
    else
        board_take_interrupt();
}

void board_request_adc_interrupt(void)
{
    raise(SIGUSR1);
}

/* Prints the link's address as the first line of standard output, except with --stdio. */
static void open_link(int tcp_port, const char *unix_path, bool use_stdio)
{
    char address[MPT_LINK_ADDRESS];
    bool is_open;

    signal(SIGPIPE, SIG_IGN);
    if (use_stdio) {
        mpt_link_open_fds(STDIN_FILENO, STDOUT_FILENO);
        return;
    }
    if (tcp_port >= 0)
        is_open = mpt_link_open_tcp((uint16_t)tcp_port, address);
    else if (unix_path)
        is_open = mpt_link_open_unix(unix_path, address);
    else
        is_open = mpt_link_open_pty(address);
    if (!is_open) {
        fprintf(stderr, "example-host: the link cannot be opened: %s\n", strerror(errno));
        exit(1);
    }
    if (option_uart)
        mpt_link_be_uart(option_uart, &option_faults);
    printf("%s\n", address);
    fflush(stdout);
}

/* Reads an option that has a number. Returns false for other options. */
static bool take_number(const char *name, const char *value)
{
    static const struct {
        const char *name;
        uint32_t *number, most;
    } numbers[] = {
        {"--rounds", &option_rounds, UINT32_MAX},
        {"--pace-ms", &option_pace_ms, 60000},
        {"--uart", &option_uart, MPT_PORT_BAUD_MOST},
        {"--uart-good", &option_faults.good, UINT32_MAX},
        {"--uart-lasts", &option_faults.lasts_ms, UINT32_MAX},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i].name) != 0)
            continue;
        *numbers[i].number = number(value, numbers[i].most);
        return true;
    }
    return false;
}

void board_open(int argc, char **argv)
{
    const char *unix_path = NULL;
    int tcp_port = -1;
    bool use_stdio = false;

    for (int i = 1; i < argc; i++) {
        if (take_number(argv[i], argv[i + 1]))
            i++;
        else if (!strcmp(argv[i], "--tcp"))
            tcp_port = (int)number(argv[++i], 65535);
        else if (!strcmp(argv[i], "--unix") && argv[i + 1])
            unix_path = argv[++i];
        else if (!strcmp(argv[i], "--stdio"))
            use_stdio = true;
        else if (!strcmp(argv[i], "--uart-mute"))
            option_faults.is_mute = true;
        else if (!strcmp(argv[i], "--counts")) {
            print_counts();
            exit(0);
        } else if (!strcmp(argv[i], "--help")) {
            fputs(usage, stdout);
            exit(0);
        } else
            wrong_usage();
    }
    if (option_uart && (tcp_port >= 0 || unix_path || use_stdio))
        wrong_usage();
    open_link(tcp_port, unix_path, use_stdio);
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL);
    ticks_at_open = mpt_port_ticks();
}

size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    return mpt_link_write(bytes, n);
}

size_t mpt_port_read(uint8_t *bytes, size_t n)
{
    return mpt_link_read(bytes, n);
}

bool mpt_port_has_baud(uint32_t baud)
{
    mpt_uart_agree();
    return true;
}

/* A pty takes bytes at once. */
bool mpt_port_is_sent(void)
{
    return true;
}

void mpt_port_set_baud(uint32_t baud)
{
    mpt_uart_set_baud(baud);
}

uint32_t board_clock_hz(void)
{
    return 1000000000; /* a round number: the PC's clock changes all the time, and nothing depends on it */
}

uint32_t board_rounds(void)
{
    return option_rounds;
}

uint32_t board_pace_ms(void)
{
    return option_pace_ms;
}

uint32_t board_millis(void)
{
    return (mpt_port_ticks() - ticks_at_open) / 1000u;
}

void board_idle(uint32_t limit_ms)
{
    mpt_link_wait((int)limit_ms);
    if (mpt_link_is_over())
        exit(0);
}

void board_spin(uint32_t us)
{
    uint32_t from = mpt_port_ticks();

    while (mpt_port_ticks() - from < us)
        ;
}

/* The program is linked at a fixed address, so .text is in memory where its file has it. */
const void *board_text(uint32_t *bytes)
{
    return (const void *)mpt_text_find(bytes);
}
