/* test_comport.c - the conversation of RFC 2217 with a server that reads nothing: the buffer is limited, and has no
 * partial commands. */
#include "source/comport.h"

#include <criterion/criterion.h>

enum { BAUD = 0xffffff01, SET_BAUD_BYTES = 13, SET_LINE_BYTES = 7 }; /* three bytes are escaped */

Test(comport, commands_without_room_are_refused_and_cost_nothing)
{
    struct comport comport;
    comport_begin(&comport, 115200);
    unsigned commands = 0;
    size_t before = comport.out_n;
    while (comport_set_baud(&comport, BAUD))
        cr_assert_lt(++commands, COMPORT_OUT_SIZE);
    cr_expect_eq(comport.out_n, before + commands * SET_BAUD_BYTES);
    cr_expect_gt(comport.out_n, sizeof comport.out - SET_BAUD_BYTES);
    cr_expect_eq(comport.line.baud, BAUD);
    cr_expect_not(comport_set_baud(&comport, 9600));
    cr_expect_eq(comport.baud_wanted, BAUD, "what is not asked for is not waited for");
    while (comport_set_modem_line(&comport, COMPORT_DTR, true))
        ;
    cr_expect_gt(comport.out_n, sizeof comport.out - SET_LINE_BYTES);
    cr_expect_lt(comport_put(&comport, (const uint8_t *)"0123456789", 10), SET_LINE_BYTES);

    comport_sent(&comport, comport.out_n);
    cr_expect_eq(comport_put(&comport,
                             (const uint8_t *)"\xff"
                                              "a",
                             2),
                 2);
    cr_expect_eq(comport.out_n, 3);
    cr_expect_arr_eq(comport.out,
                     "\xff\xff"
                     "a",
                     3);
}
