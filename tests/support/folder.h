/* folder.h - a temporary folder for the files of one test. */
#ifndef SUPPORT_FOLDER_H
#define SUPPORT_FOLDER_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct folder {
    char path[64];
};

struct folder_path {
    char text[128];
};

static inline struct folder folder_new_below(const char *parent)
{
    struct folder folder;
    int n = snprintf(folder.path, sizeof folder.path, "%s/miniprofd-test-XXXXXX", parent);
    cr_assert_lt((size_t)n, sizeof folder.path, "%s is too long a name", parent);
    cr_assert_not_null(mkdtemp(folder.path), "%s", parent);
    return folder;
}

/* Creates a folder below TMPDIR. scripts/test sets that to a file system in memory, since some tests sync
 * hundreds of times. */
static inline struct folder folder_new(void)
{
    const char *tmp = getenv("TMPDIR");
    return folder_new_below(tmp && *tmp ? tmp : "/tmp");
}

static inline struct folder_path folder_file(const struct folder *folder, const char *name)
{
    struct folder_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder->path, name);
    return path;
}

/* Removes the folder and the files in it. */
static inline void folder_free(struct folder *folder)
{
    DIR *files = opendir(folder->path);
    cr_assert_not_null(files);
    for (struct dirent *file; (file = readdir(files));)
        unlinkat(dirfd(files), file->d_name, 0);
    closedir(files);
    cr_assert_eq(rmdir(folder->path), 0);
}

static inline void folder_write(const struct folder_path *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path->text, "we");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, n, file), n);
    cr_assert_eq(fclose(file), 0);
}

#endif
