/* annotation.h - the source lines and instructions of one function of a snapshot, with the samples taken
 * there.
 *
 * It is made only from the snapshot and the ELF's tables. Any thread may call it: it reads no file and does
 * not touch the live profile. The text of the lines is in the source files; callers read those themselves. */
#ifndef SNAPSHOT_ANNOTATION_H
#define SNAPSHOT_ANNOTATION_H

#include "base/error.h"
#include "snapshot/snapshot.h"

/* Limits of an annotation: about 64 KiB of code, and as many lines. Code beyond the limit is left out and
 * counted in left_out. */
enum { ANNOTATION_INSTRUCTIONS_MOST = 16384, ANNOTATION_FILES_MOST = 32, ANNOTATION_LINES_MOST = 16384 };

/* Samples are given in thousandths, because bins of several bytes are distributed among instructions. */
enum { ANNOTATION_SAMPLE = 1000 };

#define ANNOTATION_NONE UINT32_MAX

/* A file of source code that instructions come from. */
struct annotation_file {
    const char *file;     /* as functions have it */
    const char *path;     /* path at compile time; absolute if the ELF has the directory */
    const char *built_in; /* the folder that the compiler ran in; NULL unknown */
};

/* A line of source code that has instructions in this function. */
struct annotation_line {
    uint32_t file; /* index into files */
    uint32_t line;
    uint32_t instructions;
    uint64_t samples; /* ANNOTATION_SAMPLE each */
};

/* One instruction or piece of data. */
struct annotation_instruction {
    uint64_t address;
    uint32_t size;     /* bytes */
    const char *bytes; /* hex digits */
    const char *text;  /* mnemonic and operands; "" where the machine's instructions are unknown */
    bool is_data;
    bool has_destination, has_literal;
    uint32_t file; /* ANNOTATION_NONE when unknown */
    uint32_t line; /* 0 when unknown */
    uint64_t samples;
    uint64_t destination;          /* address that a direct call, a branch or data refers to */
    const char *destination_name;  /* of the function there; NULL when unknown */
    uint32_t destination_function; /* its id; ANNOTATION_NONE when it is not in the snapshot */
    uint32_t literal;              /* value that the instruction loads from the literal pool */
};

/* What is known about one function. It points to texts of the snapshot, so it must not outlive it. */
struct annotation {
    const struct snapshot_function *function;
    struct error no_instructions; /* why there are no instructions, as a sentence; "" when there are */
    struct error no_lines;        /* why nothing is known about lines, as a sentence; "" when something is */
    const struct annotation_file *files;
    uint32_t file_count;
    uint32_t own_file;                   /* the function's own file; ANNOTATION_NONE when unknown */
    uint32_t first_line, last_line;      /* of the function in its own file; the first is its declaration */
    const struct annotation_line *lines; /* sorted by file and line */
    uint32_t line_count;
    const struct annotation_instruction *instructions; /* sorted by address */
    uint32_t instruction_count;
    uint64_t left_out;      /* bytes of code after the last instruction */
    bool has_samples;       /* the target reports program counters */
    uint64_t bin_bytes;     /* bytes of code that one sample may cover: 1 or more */
    const char *elf_path;   /* the function's ELF file */
    int64_t elf_modified_s; /* when that file was last modified, in seconds since 1970; 0 when unknown */
    struct annotation_parts *parts;
};

/* Makes the annotation of function `id` of `snapshot`, which is below function_count. The caller frees it
 * with annotation_free(), which accepts NULL. Returns NULL when memory is used up. */
struct annotation *annotation_new(const struct snapshot *snapshot, uint32_t id);
void annotation_free(struct annotation *annotation);

/* Returns the index of the first line of `file` at or after `line`. When there is none, that is where the
 * lines of the next file begin. */
uint32_t annotation_line_at(const struct annotation *annotation, uint32_t file, uint32_t line);

#endif
