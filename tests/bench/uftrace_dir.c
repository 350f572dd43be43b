/* uftrace_dir.c - writes calls as uftrace 0.13 would record them: one task of one program, 16 bytes for each begin and
 * end of a call (doc/ of uftrace, "uftrace data format"). */
#include "bench/uftrace_dir.h"

#include "protocol/bytes.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>

#define SESSION "0123456789abcdef"
#define PROGRAM "/bench/program"

enum { TASK = 100, CODE_START = 0x400000, FUNCTION_BYTES = 64, TICK_NS = 1000 };

static __attribute__((format(printf, 3, 4))) bool write_text(const char *folder, const char *name,
                                                             const char *format, ...)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    va_list arguments;
    va_start(arguments, format);
    bool written = vfprintf(file, format, arguments) >= 0;
    va_end(arguments);
    return fclose(file) == 0 && written;
}

static bool write_info(const char *folder)
{
    /* Magic, version, header size, little endian, 64 bits; then masks: sessions, relative symbols and the depth of
     * stacks are present, nothing else. */
    uint8_t header[40] = "Ftrace!";
    mp_store_u32(header + 8, 4);
    mp_store_u16(header + 12, sizeof header);
    header[14] = 1;
    header[15] = 2;
    mp_store_u32(header + 16, 1u << 1 | 1u << 5 | 1u << 6);
    mp_store_u32(header + 24, 1u << 7); /* information about tasks */
    mp_store_u16(header + 32, 1024);
    char path[4096];
    snprintf(path, sizeof path, "%s/info", folder);
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool written = fwrite(header, sizeof header, 1, file) == 1 &&
                   fprintf(file, "taskinfo:lines=2\ntaskinfo:nr_tid=1\ntaskinfo:tids=%d\n", TASK) > 0;
    return fclose(file) == 0 && written;
}

static bool write_symbols(const char *folder, uint32_t functions, uftrace_name_fn name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/program.sym", folder);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "# symbols: %u\n# path name: " PROGRAM "\n", functions + 1);
    for (uint32_t i = 0; i < functions; i++) {
        char text[64];
        name(i, text, sizeof text);
        fprintf(file, "%016x T %s\n", i * FUNCTION_BYTES, text);
    }
    fprintf(file, "%016x T __sym_end\n", functions * FUNCTION_BYTES);
    return fclose(file) == 0;
}

bool uftrace_dir_open(struct uftrace_dir *dir, const char *path, uint32_t functions, uftrace_name_fn name)
{
    *dir = (struct uftrace_dir){0};
    if (mkdir(path, 0755) != 0 && errno != EEXIST)
        return false;
    bool made =
        write_info(path) && write_symbols(path, functions, name) &&
        write_text(path, "task.txt",
                   "SESS timestamp=0.000000001 pid=%d sid=" SESSION " exename=\"" PROGRAM "\"\n"
                   "TASK timestamp=0.000000001 tid=%d pid=%d\n",
                   TASK, TASK, TASK) &&
        write_text(path, "sid-" SESSION ".map",
                   "%08x-%08x r-xp 00000000 00:00 0                          " PROGRAM "\n"
                   "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0                          [stack]\n",
                   CODE_START, CODE_START + (functions * FUNCTION_BYTES + 4096) / 4096 * 4096);
    char records[4096];
    snprintf(records, sizeof records, "%s/%d.dat", path, TASK);
    dir->records = made ? fopen(records, "wb") : NULL;
    return dir->records != NULL;
}

void uftrace_dir_add(struct uftrace_dir *dir, const struct program_step *step)
{
    enum { EXIT = 1, MAGIC = 5 << 3 };
    uint64_t time_ns = TICK_NS * step->ticks + 2;
    uint64_t address = CODE_START + (uint64_t)step->function * FUNCTION_BYTES;
    uint64_t what = (step->enter ? 0 : EXIT) | MAGIC | (uint64_t)step->depth << 6 | address << 16;
    uint8_t record[16];
    mp_store_u32(record, (uint32_t)time_ns);
    mp_store_u32(record + 4, (uint32_t)(time_ns >> 32));
    mp_store_u32(record + 8, (uint32_t)what);
    mp_store_u32(record + 12, (uint32_t)(what >> 32));
    dir->failed |= fwrite(record, sizeof record, 1, dir->records) != 1;
}

bool uftrace_dir_close(struct uftrace_dir *dir)
{
    return fclose(dir->records) == 0 && !dir->failed;
}
