/* figures.c - reads values by the tables of figures. */
#include "snapshot/figures.h"

static const void *figure_member(const struct figure *figure, const void *row)
{
    return (const char *)row + figure->offset;
}

double figure_double(const struct figure *figure, const void *row)
{
    if (figure->type == FIGURE_DOUBLE)
        return *(const double *)figure_member(figure, row);
    const struct snapshot_function *function = row;
    return (double)figure_u64(figure, row) / (double)function->calls;
}

const char *figure_text(const struct figure *figure, const void *row)
{
    return *(const char *const *)figure_member(figure, row);
}

bool figure_link_known(const struct figure *figure, const struct snapshot_link *link)
{
    if (figure->type == FIGURE_TEXT)
        return figure_text(figure, link) != NULL;
    return figure->has == 0 || *(const bool *)((const char *)link + figure->has);
}

const char *figure_unit_name(uint8_t unit)
{
    static const char *const names[FIGURE_UNITS] = {
        [UNIT_NUMBER] = "number",
        [UNIT_BYTES] = "bytes",
        [UNIT_TICKS] = "ticks",
        [UNIT_PER_SECOND] = "per second",
        [UNIT_BYTES_PER_SECOND] = "bytes per second",
        [UNIT_PERCENT] = "percent",
        [UNIT_WORDS] = "words",
    };
    return names[unit];
}

const char *figure_group_name(uint8_t group)
{
    static const char *const names[FIGURE_GROUPS] = {
        [GROUP_ARRIVED] = "arrived",
        [GROUP_DAMAGED] = "damaged",
        [GROUP_LOST] = "lost",
        [GROUP_CONNECTION] = "connection",
    };
    return names[group];
}
