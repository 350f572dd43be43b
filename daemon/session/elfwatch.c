/* elfwatch.c - notices that a file was written anew, and when it is whole again. */
#include "session/elfwatch.h"

#include <sys/stat.h>

static bool take_mark(const char *path, struct elfwatch_mark *mark)
{
    struct stat info;
    if (stat(path, &info) < 0)
        return false;
    *mark = (struct elfwatch_mark){info.st_dev, info.st_ino, info.st_size, info.st_mtim};
    return true;
}

static bool same(const struct elfwatch_mark *a, const struct elfwatch_mark *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->modified.tv_sec == b->modified.tv_sec && a->modified.tv_nsec == b->modified.tv_nsec;
}

void elfwatch_init(struct elfwatch *watch, const char *path)
{
    *watch = (struct elfwatch){.path = path};
    take_mark(path, &watch->loaded);
    watch->seen = watch->loaded;
}

bool elfwatch_look(struct elfwatch *watch)
{
    struct elfwatch_mark now;
    if (!take_mark(watch->path, &now))
        return false;
    bool stable = same(&now, &watch->seen);
    watch->seen = now;
    return stable && !same(&now, &watch->loaded) && !same(&now, &watch->failed);
}

void elfwatch_loaded(struct elfwatch *watch)
{
    watch->loaded = watch->seen;
}

void elfwatch_failed(struct elfwatch *watch)
{
    watch->failed = watch->seen;
}
