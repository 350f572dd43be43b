/* annotation.h - the source lines and instructions of one function of a snapshot, with what was sampled
 * there.
 *
 * Made of the snapshot and the ELF's tables alone: any thread may ask, no file is read, and nothing of the
 * profile that is being added up is touched. The lines' text is in files that who asks may read. */
#ifndef SNAPSHOT_ANNOTATION_H
#define SNAPSHOT_ANNOTATION_H

#include "base/error.h"
#include "snapshot/snapshot.h"

/* What an annotation holds at most: some 64 KiB of code, and as many lines; what is more is left out and
 * told. */
enum { ANNOTATION_INSTRUCTIONS_MOST = 16384, ANNOTATION_FILES_MOST = 32, ANNOTATION_LINES_MOST = 16384 };

/* Samples are told in thousandths, since bins of several bytes are shared out among instructions. */
enum { ANNOTATION_SAMPLE = 1000 };

#define ANNOTATION_NONE UINT32_MAX

struct annotation_file {
    const char *file; /* as functions have it */
    const char *path; /* where it lay when it was compiled, absolute where the ELF tells */
};

/* A line that has instructions. */
struct annotation_line {
    uint32_t file; /* index into files */
    uint32_t line;
    uint32_t instructions;
    uint64_t samples; /* ANNOTATION_SAMPLE each */
};

struct annotation_instruction {
    uint64_t address;
    uint32_t size;            /* bytes */
    const char *bytes, *text; /* hex digits; what it says, "" where nobody knows the machine's instructions */
    bool is_data;
    bool has_destination, has_literal;
    uint32_t file; /* ANNOTATION_NONE unknown */
    uint32_t line; /* 0 unknown */
    uint64_t samples;
    uint64_t destination;          /* address that a direct call or branch goes to, or that data points to */
    const char *destination_name;  /* of the function there; NULL unknown */
    uint32_t destination_function; /* its id; ANNOTATION_NONE: it is not in the snapshot */
    uint32_t literal;              /* value that it loads from next to the code */
};

/* Freed by annotation_free(). Lives no longer than the snapshot. */
struct annotation {
    const struct snapshot_function *function;
    struct error no_instructions; /* why there are none, in a sentence; "" when there are */
    struct error no_lines;        /* why nothing is known of lines; "" when something is */
    const struct annotation_file *files;
    uint32_t file_count;
    uint32_t own_file;                   /* that the function stands in; ANNOTATION_NONE unknown */
    uint32_t first_line, last_line;      /* of the function in its own file: first is where it is declared */
    const struct annotation_line *lines; /* by file and line */
    uint32_t line_count;
    const struct annotation_instruction *instructions; /* by address */
    uint32_t instruction_count;
    uint64_t left_out;      /* bytes of code after the last instruction */
    bool has_samples;       /* the target tells of the program counter */
    uint64_t bin_bytes;     /* how much code one sample may stand for: 1 or more */
    int64_t elf_modified_s; /* seconds since 1970; 0 unknown */
    struct annotation_parts *parts;
};

/* Of the function `id` of `snapshot`, which must be one. NULL when memory is used up. */
struct annotation *annotation_new(const struct snapshot *snapshot, uint32_t id);
void annotation_free(struct annotation *annotation);

/* The index of the first line of `file` at or after `line`; where those of the next file begin when there is
 * none. */
uint32_t annotation_line_at(const struct annotation *annotation, uint32_t file, uint32_t line);

#endif
