/* mpt_names.c - sends the names of tasks and interrupts. */
#include "mpt_names.h"

#include "mpt_port.h"

#if MPT_NAMES

struct mpt_names mpt_names;

MPT_NOT_INSTRUMENTED void mpt_context_name(uint8_t task, const char *name)
{
    if (task >= MPT_TASKS)
        return;
    mpt_names.task[task] = name;
    mpt_names.is_changed = true;
}

MPT_NOT_INSTRUMENTED void mpt_context_idle(uint8_t task)
{
    mpt_names.idle = (uint8_t)(task + 1u);
    mpt_names.is_changed = true;
}

MPT_NOT_INSTRUMENTED void mpt_context_interrupts(const struct mpt_interrupt_name *names)
{
    mpt_names.interrupts = names;
    mpt_names.is_changed = true;
}

static void tell_one_name(struct mp_compact_writer *writer, uint32_t context, bool is_idle, const char *name)
{
    size_t n = 0;

    /* One byte more, so that the host sees that it was cut. */
    while (name && n <= MP_COMPACT_NAME_MAX && name[n])
        n++;
    (void)mp_compact_name(writer, context, is_idle, name, n);
}

bool mpt_names_tell(struct mp_compact_writer *writer)
{
    struct mpt_names *const names = &mpt_names;
    uint16_t before = writer->at;

    if (names->is_changed) {
        names->is_changed = names->is_told = false;
        names->next = 0;
    }
    for (; !names->is_told && writer->at < writer->room / 2; names->next++) {
        uint32_t i = names->next;

        if (i < MPT_TASKS) {
            bool is_idle = names->idle == i + 1;

            if (names->task[i] || is_idle)
                tell_one_name(writer, MP_CONTEXT_TASK(i), is_idle, names->task[i]);
        } else if (names->interrupts && names->interrupts[i - MPT_TASKS].name) {
            const struct mpt_interrupt_name *interrupt = &names->interrupts[i - MPT_TASKS];

            tell_one_name(writer, MP_CONTEXT_INTERRUPT((uint32_t)interrupt->exception), false,
                          interrupt->name);
        } else {
            names->is_told = true;
        }
    }
    return writer->at != before;
}

const char *mpt_names_of(uint32_t context, bool *is_idle)
{
    const struct mpt_interrupt_name *interrupt = mpt_names.interrupts;

    *is_idle = !MP_CONTEXT_IS_INTERRUPT(context) && mpt_names.idle == context / 2 + 1;
    if (!MP_CONTEXT_IS_INTERRUPT(context))
        return mpt_names.task[context / 2];
    while (interrupt && interrupt->name && MP_CONTEXT_INTERRUPT((uint32_t)interrupt->exception) != context)
        interrupt++;
    return interrupt ? interrupt->name : NULL;
}

#else

MPT_NOT_INSTRUMENTED void mpt_context_name(uint8_t task, const char *name) {}

MPT_NOT_INSTRUMENTED void mpt_context_idle(uint8_t task) {}

#endif
