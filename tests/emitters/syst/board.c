/* board.c - the simulated board. */
#include "mpt_board.h"

#include "mpt_syst.h"

struct board board;

void board_start(void)
{
    uint8_t bytes[256];

    board = (struct board){.ticks = board.ticks};
    while (mpt_syst_take(bytes, sizeof bytes) > 0)
        ;
    mpt_syst_frame(MPT_SYST_AS_RAW);
}
