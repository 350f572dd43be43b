/* library_program.c - a program that uses libmpt_host under difficult conditions: threads from before and after the
 * start, signals at a high rate, longjmp, fork, and a start in the middle of calls.
 *
 * usage: library_program ADDRESS; prints the number of runs of its signal handler. */
#include "mpt_host.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 5000, PATIENCE_MS = 120000 };

static atomic_bool is_done;
static atomic_uint rounds_elsewhere, shared_calls, ticks;
static jmp_buf back;

static void shared(void)
{
    shared_calls++;
}

static void elsewhere(void)
{
    shared();
    rounds_elsewhere++;
}

static void *other_thread(void *unused)
{
    sigset_t alarm;

    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, NULL);
    while (!is_done)
        elsewhere();
    return NULL;
}

static void tick(void)
{
    ticks++;
}

static void on_signal(int number)
{
    tick();
}

static void jump(void)
{
    longjmp(back, 1);
}

static void leap(void)
{
    jump();
}

static void step(void)
{
    shared();
    if (!setjmp(back))
        leap();
}

static void in_child(void)
{
    for (int i = 0; i < ROUNDS; i++)
        shared();
}

static int fork_child(void)
{
    int status = -1;
    pid_t child = fork();

    if (!child) {
        in_child();
        exit(mpt_host_start("pty")); /* which must fail */
    }
    waitpid(child, &status, 0);
    return status;
}

static void count_signals(void)
{
    struct itimerval often = {{0, 100}, {0, 100}};

    sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART}, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

static int run(const char *address)
{
    pthread_t before, after;

    if (pthread_create(&before, NULL, other_thread, NULL) || !mpt_host_start(address) ||
        !mpt_host_wait(PATIENCE_MS) || pthread_create(&after, NULL, other_thread, NULL))
        return 1;
    count_signals();
    for (int i = 0; i < ROUNDS; i++)
        step();
    /* The other threads have run beside it, and signals came while no hook ran. */
    unsigned ticks_here = ticks;

    while (rounds_elsewhere < ROUNDS || ticks - ticks_here < 3)
        ;
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    int status = fork_child();

    is_done = true;
    pthread_join(before, NULL);
    pthread_join(after, NULL);
    return status ? 2 : 0;
}

int main(int argc, char **argv)
{
    int status = argc == 2 ? run(argv[1]) : 3;

    printf("%u\n", ticks);
    return status;
}
