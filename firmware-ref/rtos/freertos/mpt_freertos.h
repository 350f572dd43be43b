/* mpt_freertos.h - FreeRTOS (9 and later, one core) reports its tasks to the agent. Include it at the END of
 * FreeRTOSConfig.h and build mpt_numbers.c with the agent, with MPT_TASKS two more than there are tasks,
 * those of the kernel counted:
 *
 *     #include "rtos/freertos/mpt_freertos.h"
 *
 * Only tasks.c uses the macros, so they may use its variables. A task's number is kept in the field that
 * configUSE_TRACE_FACILITY adds for that purpose, so the program must not call vTaskSetTaskNumber(). If
 * another tool defines these macros as well, let its macros call these. */
#ifndef MPT_FREERTOS_H
#define MPT_FREERTOS_H

#if !defined configUSE_TRACE_FACILITY
#define configUSE_TRACE_FACILITY 1
#elif configUSE_TRACE_FACILITY == 0
#error "configUSE_TRACE_FACILITY must be 1: the agent keeps a task's number in the field that it adds"
#endif

#if defined configNUMBER_OF_CORES && configNUMBER_OF_CORES > 1
#error "the agent is for one core: configNUMBER_OF_CORES must be 1"
#endif

/* The port's assembly also includes FreeRTOSConfig.h. */
#if !defined __ASSEMBLER__ && !defined __IASMARM__

#include "mpt.h"
#include "rtos/mpt_numbers.h"

/* Finds the idle task by its name, since it is created like all others. */
MPT_NOT_INSTRUMENTED static inline uint8_t mpt_freertos_create(const void *task, const char *name,
                                                               const char *idle_name)
{
    uint8_t number = mpt_number_give(task, name);

    while (*name && *name == *idle_name) {
        name++;
        idle_name++;
    }
    if (*name == *idle_name)
        mpt_context_idle(number);
    return number;
}

#define traceTASK_CREATE(task)                                                                               \
    ((task)->uxTaskNumber = mpt_freertos_create((task), (task)->pcTaskName, configIDLE_TASK_NAME))

#define traceTASK_DELETE(task) mpt_number_take_back((uint8_t)(task)->uxTaskNumber)

/* A task that is left and is not in a list of ready tasks waits, sleeps, is suspended or has ended. */
#define traceTASK_SWITCHED_OUT()                                                                             \
    do {                                                                                                     \
        if ((size_t)listLIST_ITEM_CONTAINER(&pxCurrentTCB->xStateListItem) - (size_t)pxReadyTasksLists >=    \
            sizeof(pxReadyTasksLists))                                                                       \
            mpt_context_block();                                                                             \
    } while (0)

#define traceTASK_SWITCHED_IN() mpt_context_switch((uint8_t)pxCurrentTCB->uxTaskNumber)

#endif
#endif
