/* test_annex.c - jobs that crash, hang, need too much or answer nonsense, and acts that are forbidden to a
 * worker. */
#include "annex/annex.h"

#include "process/observed.h"

#include <criterion/criterion.h>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void begin(void)
{
    struct error err;
    cr_assert(annex_start(true, &err), "%s", err.text);
}

TestSuite(annex, .init = begin, .fini = annex_stop);

static void echo(uint8_t *request, size_t n, struct sink *answer)
{
    sink_write(answer, request, n);
}

static void crash(uint8_t *request, size_t n, struct sink *answer)
{
    (void)request, (void)n, (void)answer;
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    abort();
}

static void hang(uint8_t *request, size_t n, struct sink *answer)
{
    (void)request, (void)n, (void)answer;
    for (volatile unsigned turns = 0;; turns++)
        ;
}

static void leave(uint8_t *request, size_t n, struct sink *answer)
{
    sink_write(answer, request, n);
    _exit(0);
}

/* Writes an invalid length of an answer to every descriptor, since the daemon's is unknown. */
static void lie(uint8_t *request, size_t n, struct sink *answer)
{
    static const uint8_t nonsense[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    (void)request, (void)n, (void)answer;
    for (int fd = 3; fd < 64; fd++) {
        ssize_t put = write(fd, nonsense, sizeof nonsense);
        (void)put;
    }
    _exit(0);
}

/* Announces an answer of 64 bytes and sends none. */
static void break_off(uint8_t *request, size_t n, struct sink *answer)
{
    const uint64_t length = 64;
    (void)request, (void)n, (void)answer;
    for (int fd = 3; fd < 64; fd++) {
        ssize_t put = write(fd, &length, sizeof length);
        (void)put;
    }
    _exit(0);
}

static const struct annex_job echoing = {"echoing", echo, 20}, crashing = {"crashing", crash, 20},
                              hanging = {"hanging", hang, 1}, leaving = {"leaving", leave, 20},
                              lying = {"lying", lie, 20}, breaking = {"breaking", break_off, 20},
                              halving = {"halving", echo, 20};

static void expect_answer(uint8_t *text)
{
    struct error err = {""};
    size_t n = 0;
    uint8_t *answer = annex_ask(&echoing, text, strlen((char *)text), strlen((char *)text) + 1, &n, &err);
    cr_assert_not_null(answer, "%s", err.text);
    cr_expect(n == strlen((char *)text) && memcmp(answer, text, n) == 0);
    free(answer);
}

static void expect_sentence(const struct annex_job *job, const char *says)
{
    struct error err = {""};
    size_t n = 0;
    uint8_t request[] = "abcd";
    cr_expect_null(annex_ask(job, request, 4, job == &halving ? 2 : 64, &n, &err));
    cr_expect(strstr(err.text, job->title) && strstr(err.text, says), "%s", err.text);
    expect_answer(request);
}

Test(annex, a_job_is_answered)
{
    expect_answer((uint8_t[]){""});
    expect_answer((uint8_t[]){"one"});
}

Test(annex, requests_and_answers_larger_than_a_socket_holds_pass)
{
    enum { N = 8 << 20 };
    struct error err = {""};
    size_t n = 0;
    uint8_t *request = malloc(N);
    cr_assert_not_null(request);
    for (size_t i = 0; i < N; i++)
        request[i] = (uint8_t)(i * 7 + (i >> 11));
    uint8_t *answer = annex_ask(&echoing, request, N, N, &n, &err);
    cr_expect(answer && n == N && memcmp(answer, request, N) == 0, "%s", err.text);
    free(answer);
    free(request);
}

Test(annex, a_job_that_crashes_costs_its_answer)
{
    expect_sentence(&crashing, "ended");
}

Test(annex, a_job_that_hangs_is_given_its_time_limit)
{
    expect_sentence(&hanging, "");
}

Test(annex, a_process_that_ends_without_an_answer_is_reported)
{
    expect_sentence(&leaving, "ended");
    expect_sentence(&breaking, "ended");
}

Test(annex, an_impossible_answer_is_refused)
{
    expect_sentence(&lying, "more than it can come to");
    expect_sentence(&halving, "ended");
}

enum { OPENS = 1, CONNECTS = 2, FORKS = 4, TAKES_MEMORY = 8, SEES_SECRET = 16 };

static int kept = -1; /* a descriptor that the daemon opened after the annex began */

static void try_all(uint8_t *request, size_t n, struct sink *answer)
{
    uint8_t could = 0;
    (void)request, (void)n;
    could |= open("/etc/passwd", O_RDONLY) >= 0 ? OPENS : 0;
    could |= socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ? CONNECTS : 0;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    could |= child > 0 ? FORKS : 0;
    /* Not observed: with MALLOC_PERTURB_ and without a limit, malloc() would write to all of it. */
    void *much = IS_OBSERVED ? NULL : malloc((size_t)3 << 30);
    could |= much ? TAKES_MEMORY : 0;
    free(much);
    could |= kept >= 0 ? SEES_SECRET : 0;
    sink_write(answer, &could, 1);
}

static const struct annex_job trying = {"trying", try_all, 20};

Test(annex, a_worker_has_no_rights)
{
    struct error err = {""};
    size_t n = 0;
    kept = open("/dev/null", O_RDONLY);
    uint8_t *could = annex_ask(&trying, NULL, 0, 1, &n, &err);
    cr_assert(could && n == 1, "%s", err.text);
    cr_expect_eq(*could & (IS_OBSERVED ? SEES_SECRET : UINT8_MAX), 0, "%d", *could);
    free(could);
    close(kept);
}

static void *ask_often(void *user)
{
    (void)user;
    for (int i = 0; i < 20; i++) {
        expect_answer((uint8_t[]){"of several threads"});
        struct error err;
        size_t n;
        uint8_t request[] = "x";
        cr_expect_null(annex_ask(&leaving, request, 1, 64, &n, &err));
    }
    return NULL;
}

Test(annex, several_threads_may_ask_at_once)
{
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        cr_assert(pthread_create(&threads[i], NULL, ask_often, NULL) == 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* Finds this process's children, the server and the spare one. Returns their number. */
static size_t servers(pid_t pids[static 2])
{
    char path[64], text[64] = "", *at = text;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *children = fopen(path, "r");
    cr_assert(children && fgets(text, sizeof text, children), "%s", path);
    fclose(children);
    size_t n = 0;
    for (char *end; n < 2; n++, at = end) {
        pids[n] = (pid_t)strtol(at, &end, 10);
        if (end == at)
            break;
    }
    return n;
}

Test(annex, a_process_that_ended_is_replaced_again_and_again)
{
    pid_t pids[2];
    cr_assert_eq(servers(pids), 2);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(kill(pids[i], SIGKILL), 0);
        expect_answer((uint8_t[]){"after the end of a process"});
    }
}

Test(annex, a_hung_process_is_replaced)
{
    pid_t pids[2];
    cr_assert_eq(servers(pids), 2);
    expect_answer((uint8_t[]){"before"});
    cr_assert_eq(kill(pids[0], SIGSTOP), 0);
    expect_answer((uint8_t[]){"by the spare one"});
    expect_answer((uint8_t[]){"and once more"});
}

Test(annex, an_error_reports_that_both_processes_ended)
{
    pid_t pids[2];
    cr_assert_eq(servers(pids), 2);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(kill(pids[i], SIGKILL), 0);
    /* The request may still be sent or not: there is an error in both cases. */
    for (int i = 0; i < 2; i++) {
        struct error err = {""};
        size_t n;
        uint8_t request[] = "x";
        cr_expect_null(annex_ask(&echoing, request, 1, 64, &n, &err));
        cr_expect(strstr(err.text, "ended") && strstr(err.text, "start miniprofd again"), "%s", err.text);
    }
}

static const struct annex_job lasting = {"lasting", hang, 300};

/* Waits until there is a worker, opens its pidfd as the int at `user`, and gives up. */
static void *give_up_when_it_runs(void *user)
{
    char text[64] = "";
    pid_t pids[2];
    int *worker = user;
    servers(pids);
    do {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pids[0], (int)pids[0]);
        FILE *children = fopen(path, "r");
        if (!children || !fgets(text, sizeof text, children))
            *text = '\0';
        if (children)
            fclose(children);
    } while (!*text);
    *worker = (int)syscall(SYS_pidfd_open, (pid_t)strtol(text, NULL, 10), 0);
    annex_give_up();
    return NULL;
}

Test(annex, the_program_ends_without_waiting_for_jobs)
{
    pthread_t thread;
    int worker = -1;
    struct error err = {""};
    size_t n;
    uint8_t request[] = "x";
    cr_assert_eq(pthread_create(&thread, NULL, give_up_when_it_runs, &worker), 0);
    cr_expect_null(annex_ask(&lasting, request, 1, 64, &n, &err));
    pthread_join(thread, NULL);
    cr_expect(strstr(err.text, "given up"), "%s", err.text);
    cr_expect_null(annex_ask(&echoing, request, 1, 64, &n, &err), "nor is another begun");
    struct pollfd ended = {.fd = worker, .events = POLLIN};
    cr_expect(worker < 0 || poll(&ended, 1, 60 * 1000) == 1, "the worker goes on");
}

Test(annex, hung_processes_do_not_delay_the_end)
{
    pid_t pids[2];
    cr_assert_eq(servers(pids), 2);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(kill(pids[i], SIGSTOP), 0);
    annex_stop();
    for (int i = 0; i < 2; i++)
        cr_expect(kill(pids[i], 0) != 0, "it is still there");
}

Test(here, jobs_run_where_they_are_asked_for_without_an_annex)
{
    uint8_t request[] = "abcd";
    struct error err = {""};
    size_t n = 0;
    expect_answer(request);
    cr_expect_null(annex_ask(&halving, request, 4, 2, &n, &err));
    cr_expect(strstr(err.text, "halving"), "%s", err.text);
}
