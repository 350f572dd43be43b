/* elfwatch.c - detects that one of the ELF files was written again, and when all are complete. */
#include "session/elfwatch.h"

#include <sys/stat.h>

static bool mark_take(const char *path, struct elfwatch_mark *mark)
{
    struct stat info;
    if (stat(path, &info) < 0)
        return false;
    *mark = (struct elfwatch_mark){info.st_dev, info.st_ino, info.st_size, info.st_mtim};
    return true;
}

static bool mark_same(const struct elfwatch_mark *a, const struct elfwatch_mark *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->modified.tv_sec == b->modified.tv_sec && a->modified.tv_nsec == b->modified.tv_nsec;
}

/* Returns false if one of the files is missing; its mark is zero then. */
static bool marks_take(const struct elf_list *elfs, struct elfwatch_marks *marks)
{
    bool are_there = true;
    *marks = (struct elfwatch_marks){0};
    for (size_t i = 0; i < elfs->n; i++)
        are_there &= mark_take(elfs->all[i].path, &marks->all[i]);
    return are_there;
}

static bool marks_same(const struct elf_list *elfs, const struct elfwatch_marks *a,
                       const struct elfwatch_marks *b)
{
    bool same = true;
    for (size_t i = 0; same && i < elfs->n; i++)
        same = mark_same(&a->all[i], &b->all[i]);
    return same;
}

void elfwatch_init(struct elfwatch *watch, const struct elf_list *elfs)
{
    *watch = (struct elfwatch){.elfs = elfs};
    marks_take(elfs, &watch->loaded);
    watch->seen = watch->loaded;
}

bool elfwatch_look(struct elfwatch *watch)
{
    struct elfwatch_marks now;
    if (!marks_take(watch->elfs, &now))
        return false;
    bool stable = marks_same(watch->elfs, &now, &watch->seen);
    watch->seen = now;
    return stable && !marks_same(watch->elfs, &now, &watch->loaded) &&
           !marks_same(watch->elfs, &now, &watch->failed);
}

void elfwatch_loaded(struct elfwatch *watch)
{
    watch->loaded = watch->seen;
}

void elfwatch_failed(struct elfwatch *watch)
{
    watch->failed = watch->seen;
}
