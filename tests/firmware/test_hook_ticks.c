/* test_hook_ticks.c - the hooks' cost is measured and reported without side effects. */
#include "mpt.h"
#include "mpt_hook_ticks.h"
#include "mpt_ring.h"
#include "protocol/description.h"
#include "sim/sim.h"

#include <criterion/criterion.h>
#include <string.h>

void __cyg_profile_func_enter(void *this_fn, void *call_site);

/* Each hook reads the counter once, and so does the end of the measurement. */
enum { PER_READING = 5, READINGS = 2 * 16 + 1 };

static void begin_calls(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        __cyg_profile_func_enter((void *)(uintptr_t)(0x100 + 16 * i), NULL);
}

Test(hook_ticks, the_ring_is_unchanged_afterwards)
{
    static const unsigned calls[] = {0, 1, MPT_RING_EVENTS - 1, MPT_RING_EVENTS, MPT_RING_EVENTS + 7};

    sim.ticks_per_reading = PER_READING;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        static struct mpt_ring before;

        memset(&mpt_ring, 0, sizeof mpt_ring);
        begin_calls(calls[i]);
        memcpy(&before, &mpt_ring, sizeof before);
        uint16_t told[MPT_HOOK_FORMS];
        mpt_hook_ticks(told);
        for (size_t form = 0; form < MPT_HOOK_FORMS; form++)
            cr_expect(form == MP_HOOKS_TREE_INTERRUPT ? told[form] > READINGS * PER_READING
                                                      : told[form] == READINGS * PER_READING,
                      "%u calls, form %zu: %u", calls[i], form, told[form]);
        cr_expect_eq(memcmp(&before, &mpt_ring, sizeof before), 0, "%u calls", calls[i]);
    }
}

Test(hook_ticks, a_cost_that_does_not_fit_saturates)
{
    sim.ticks_per_reading = 4096;
    uint16_t told[MPT_HOOK_FORMS];
    mpt_hook_ticks(told);
    for (size_t form = 0; form < MPT_HOOK_FORMS; form++)
        cr_assert_eq(told[form], UINT16_MAX);
}

Test(hook_ticks, a_counter_that_is_too_slow_gives_the_minimum)
{
    sim.ticks_per_reading = 0;
    uint16_t told[MPT_HOOK_FORMS];
    mpt_hook_ticks(told);
    for (size_t form = 0; form < MPT_HOOK_FORMS; form++)
        cr_assert_eq(told[form], 1);
}

Test(hook_ticks, they_follow_the_settings_in_the_description)
{
    struct mp_description description;
    struct mp_setting setting;

    sim.ticks_per_reading = PER_READING;
    sim_start(NULL);
    sim_command(MP_DESCRIBE);
    const struct heard *heard = sim_hear();
    struct mp_bytes bytes = mp_bytes_over(heard->description, heard->description_size);
    cr_assert(mp_description_decode(&description, &bytes));
    for (int i = 0; i < description.settings; i++)
        cr_assert(mp_setting_decode(&setting, &bytes));
    cr_assert_eq(mp_hook_ticks_decode(&bytes), READINGS * PER_READING);
}
