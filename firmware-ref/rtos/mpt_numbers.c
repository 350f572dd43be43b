/* mpt_numbers.c - allocates numbers for the tasks of a kernel that has none. */
#include "mpt_numbers.h"

#include "mpt.h"
#include "mpt_config.h"

#if MPT_TASKS < 4
#error "MPT_TASKS must be the kernel's tasks, its idle and timer tasks with them, and two more"
#endif

enum { SHARED = MPT_TASKS - 1 };

static struct {
    const void *task[SHARED]; /* by number; NULL: free, and 0 always is */
    uint8_t last;             /* number allocated last */
    char name[SHARED][MPT_NUMBERS_NAME];
} numbers;

uint8_t mpt_number_give(const void *task, const char *name)
{
    uint32_t key = mpt_port_lock();
    uint8_t number = SHARED;

    for (uint32_t i = 0; i < SHARED - 1u && number == SHARED; i++) {
        uint8_t next = (uint8_t)(1 + (numbers.last + i) % (SHARED - 1u));

        if (!numbers.task[next])
            number = next;
    }
    if (number != SHARED) {
        numbers.task[number] = task;
        numbers.last = number;
        mpt_context_begin(number);
    }
    if (number == SHARED)
        mpt_context_name(number, "more than MPT_TASKS");
    else
        mpt_number_name(number, name);
    mpt_port_unlock(key);
    return number;
}

void mpt_number_name(uint8_t number, const char *name)
{
    char *copy = numbers.name[number % SHARED];
    uint32_t n = 0;

    if (!number || number >= SHARED)
        return;
    for (; name && name[n] && n < MPT_NUMBERS_NAME - 1; n++)
        copy[n] = name[n];
    copy[n] = '\0';
    mpt_context_name(number, copy);
}

uint8_t mpt_number_find(const void *task)
{
    for (uint8_t i = 1; i < SHARED; i++) {
        if (numbers.task[i] == task)
            return i;
    }
    return 0;
}

void mpt_number_take_back(uint8_t number)
{
    if (number && number < SHARED)
        numbers.task[number] = 0;
}
