/* route_annotation.c - the handler for a function's source lines and instructions.
 *
 * The answer is made on the client's thread from the newest snapshot, which keeps its symbols. The text of lines
 * is read from disk. */
#include "base/text.h"
#include "api/query.h"
#include "api/range.h"
#include "api/routes.h"
#include "api/site.h"
#include "api/sources.h"
#include "api/textfile.h"
#include "snapshot/annotation.h"

#include <stdlib.h>
#include <string.h>

/* Answers at the same time: each keeps some megabytes until it is sent. */
enum { ANSWERS_MOST = 4, LINE_BYTES_MOST = 1000 };

#define HINT " Where the program was built elsewhere, --source-path FROM=TO says where its sources lie here."

/* The limit for all files of an answer together, with their line indices. */
enum { TEXT_BYTES_MOST = 32 << 20 };

struct answer {
    const struct annotation *annotation;
    struct json json;
    struct shown_file {
        const char *path; /* on this machine */
        char path_room[PATH_MAX];
        struct textfile text;
        struct error reason; /* why the text is missing */
        bool is_changed;     /* the file changed after the program was linked */
    } files[ANNOTATION_FILES_MOST];
};

static void explain_missing_source(struct shown_file *file, const struct error *why)
{
    size_t n = strlen(why->text);
    error_set(&file->reason, "%s%s" HINT, why->text, n > 0 && why->text[n - 1] == '.' ? "" : ".");
}

static void read_files(struct answer *answer, const struct sources *sources)
{
    const struct annotation *annotation = answer->annotation;
    size_t room = TEXT_BYTES_MOST;
    for (uint32_t i = 0; i < annotation->file_count; i++) {
        struct shown_file *file = &answer->files[i];
        const struct annotation_file *named = &annotation->files[i];
        struct error err;
        char real[PATH_MAX];
        file->path = textfile_place(sources->maps, sources->map_n, named->path, file->path_room);
        if (!file->path) {
            file->path = named->path;
            error_set(&file->reason, "The path of this source file is too long.");
        } else if (!sources_admit(sources, file->path, named->built_in, real, &err) ||
                   !textfile_init(&file->text, real, room, &err)) {
            explain_missing_source(file, &err);
        } else {
            room -= textfile_bytes(&file->text);
            file->is_changed =
                annotation->elf_modified_s > 0 && file->text.modified_s > annotation->elf_modified_s;
        }
    }
}

static void free_files(struct answer *answer)
{
    for (uint32_t i = 0; i < answer->annotation->file_count; i++)
        textfile_fini(&answer->files[i].text);
}

static void write_index(struct json *json, const char *key, uint32_t index)
{
    json_known_u64(json, key, index != ANNOTATION_NONE, index);
}

static void write_samples(struct answer *answer, uint64_t samples)
{
    if (answer->annotation->has_samples)
        json_decimal(&answer->json, "samples", samples, 3);
    else
        json_null(&answer->json, "samples");
}

static void write_line(struct answer *answer, uint32_t file, uint32_t number,
                       const struct annotation_line *line)
{
    struct json *json = &answer->json;
    char clean[LINE_BYTES_MOST * 3 + 1];
    size_t n;
    const char *text = textfile_line(&answer->files[file].text, number, &n);
    if (text)
        text_clean_utf8(clean, sizeof clean, text, n < LINE_BYTES_MOST ? n : LINE_BYTES_MOST);
    json_object_open(json, NULL);
    json_u64(json, "line", number);
    json_text(json, "text", text ? clean : NULL);
    json_u64(json, "instructions", line ? line->instructions : 0);
    write_samples(answer, line ? line->samples : 0);
    json_object_close(json);
}

static const struct annotation_line *line_at(const struct annotation *annotation, uint32_t index,
                                             uint32_t file, uint32_t number)
{
    const struct annotation_line *line = &annotation->lines[index];
    return index < annotation->line_count && line->file == file && line->line == number ? line : NULL;
}

/* Writes all lines of the function if their text is available, else those with instructions. */
static void write_own_lines(struct answer *answer)
{
    const struct annotation *annotation = answer->annotation;
    uint32_t file = annotation->own_file;
    json_array_open(&answer->json, "lines");
    if (file != ANNOTATION_NONE && annotation->first_line > 0) {
        uint32_t index = annotation_line_at(annotation, file, annotation->first_line);
        for (uint32_t n = annotation->last_line - annotation->first_line + 1, i = 0; i < n; i++) {
            uint32_t number = annotation->first_line + i;
            const struct annotation_line *line = line_at(annotation, index, file, number);
            if (line || number <= answer->files[file].text.lines)
                write_line(answer, file, number, line);
            index += line != NULL;
        }
    }
    json_array_close(&answer->json);
}

static bool is_own(const struct annotation *annotation, const struct annotation_line *line)
{
    return line->file == annotation->own_file && line->line >= annotation->first_line &&
           line->line <= annotation->last_line;
}

/* Writes inlined lines: those outside the function that have instructions in it, file by file. */
static void write_inlined(struct answer *answer)
{
    const struct annotation *annotation = answer->annotation;
    struct json *json = &answer->json;
    uint32_t open = ANNOTATION_NONE;
    json_array_open(json, "inlined");
    for (uint32_t i = 0; i < annotation->line_count; i++) {
        const struct annotation_line *line = &annotation->lines[i];
        if (is_own(annotation, line))
            continue;
        if (open != line->file) {
            if (open != ANNOTATION_NONE) {
                json_array_close(json);
                json_object_close(json);
            }
            open = line->file;
            json_object_open(json, NULL);
            json_u64(json, "file", open);
            json_array_open(json, "lines");
        }
        write_line(answer, line->file, line->line, line);
    }
    if (open != ANNOTATION_NONE) {
        json_array_close(json);
        json_object_close(json);
    }
    json_array_close(json);
}

static void write_files(struct answer *answer)
{
    struct json *json = &answer->json;
    json_array_open(json, "files");
    for (uint32_t i = 0; i < answer->annotation->file_count; i++) {
        const struct shown_file *file = &answer->files[i];
        json_object_open(json, NULL);
        json_text(json, "file", answer->annotation->files[i].file);
        json_text(json, "path", file->path);
        json_text(json, "reason", *file->reason.text ? file->reason.text : NULL);
        json_bool(json, "changed", file->is_changed);
        json_object_close(json);
    }
    json_array_close(json);
}

static void write_destination(struct json *json, const struct annotation_instruction *row)
{
    if (!row->has_destination) {
        json_null(json, "target");
        return;
    }
    json_object_open(json, "target");
    json_hex(json, "address", row->destination, 8);
    json_text(json, "name", row->destination_name);
    write_index(json, "function", row->destination_function);
    json_object_close(json);
}

static void write_instructions(struct answer *answer)
{
    const struct annotation *annotation = answer->annotation;
    struct json *json = &answer->json;
    uint32_t n = *annotation->no_instructions.text ? 0 : annotation->instruction_count;
    json_array_open(json, "instructions");
    for (uint32_t i = 0; i < n; i++) {
        const struct annotation_instruction *row = &annotation->instructions[i];
        json_object_open(json, NULL);
        json_hex(json, "address", row->address, 8);
        json_text(json, "bytes", row->bytes);
        json_text(json, "text", row->text);
        json_bool(json, "data", row->is_data);
        write_index(json, "file", row->line > 0 ? row->file : ANNOTATION_NONE);
        json_known_u64(json, "line", row->line > 0, row->line);
        write_samples(answer, row->samples);
        write_destination(json, row);
        if (row->has_literal)
            json_hex(json, "literal", row->literal, 8);
        else
            json_null(json, "literal");
        json_object_close(json);
    }
    json_array_close(json);
}

/* Writes whether lines and instructions are available, and a sentence if not. */
static void write_availability(struct answer *answer)
{
    const struct annotation *annotation = answer->annotation;
    struct json *json = &answer->json;
    const struct shown_file *own =
        annotation->own_file == ANNOTATION_NONE ? NULL : &answer->files[annotation->own_file];
    const char *no_source = *annotation->no_lines.text ? annotation->no_lines.text
                            : own && *own->reason.text ? own->reason.text
                                                       : NULL;
    const char *no_code = *annotation->no_instructions.text ? annotation->no_instructions.text : NULL;
    json_text(json, "file", own ? annotation->files[annotation->own_file].file : NULL);
    json_text(json, "path", own ? own->path : NULL);
    json_known_u64(json, "line", annotation->first_line > 0, annotation->first_line);
    json_object_open(json, "available");
    json_bool(json, "source", !no_source);
    json_bool(json, "disassembly", !no_code);
    json_object_close(json);
    json_object_open(json, "reason");
    json_text(json, "source", no_source);
    json_text(json, "disassembly", no_code);
    json_object_close(json);
}

static void write_annotation(struct answer *answer, uint64_t id)
{
    const struct annotation *annotation = answer->annotation;
    const struct snapshot_function *function = annotation->function;
    struct json *json = &answer->json;
    json_object_open(json, NULL);
    json_u64(json, "id", id);
    json_text(json, "name", function->name);
    if (function->has_address)
        json_hex(json, "address", function->address, 8);
    else
        json_null(json, "address");
    json_u64(json, "size", function->size);
    write_availability(answer);
    json_u64(json, "left_out", annotation->left_out);
    json_known_u64(json, "bin_bytes", annotation->has_samples, annotation->bin_bytes);
    write_index(json, "own_file", annotation->own_file);
    write_files(answer);
    write_own_lines(answer);
    write_inlined(answer);
    write_instructions(answer);
    json_object_close(json);
}

static void annotate_function(struct site *site, const struct snapshot *snapshot, uint64_t id,
                              struct response *response)
{
    struct annotation *annotation = annotation_new(snapshot, (uint32_t)id);
    struct answer *answer = calloc(1, sizeof *answer);
    const struct http_settings *settings = &site->settings;
    const struct sources sources = {.maps = settings->source_paths,
                                    .map_n = settings->source_path_n,
                                    .any = settings->source_any,
                                    .elf = annotation ? annotation->elf_path : ""};
    if (annotation && answer) {
        answer->annotation = annotation;
        answer->json = response_json(response);
        read_files(answer, &sources);
        write_annotation(answer, id);
        free_files(answer);
    } else {
        response->body.sink.failed = true;
    }
    free(answer);
    annotation_free(annotation);
}

static void answer_annotation(struct site *site, const struct request *request, struct response *response)
{
    uint64_t id, pause;
    if (!query_function(request, &id, response) ||
        !query_numbers(request, &(struct request_number){"pause", &pause}, 1, response))
        return;
    struct snapshot *snapshot = range_whole(site, request, response);
    if (!snapshot)
        return;
    if (id >= snapshot->function_count)
        response_problem(response, 404, "There is no function %llu.", (unsigned long long)id);
    else if (response_take_slot(response, &site->annotations, ANSWERS_MOST, "sources of functions"))
        annotate_function(site, snapshot, id, response);
    snapshot_unref(snapshot);
}

const struct route routes_annotation[] = {
    {.method = "GET",
     .path = "/api/v1/functions/{id}/source",
     .answer = answer_annotation,
     .id = "functionSource",
     .summary =
         "The source lines and instructions of one function, with the samples of each where the target takes "
         "samples. 'available' says what there is and 'reason', in a sentence, why not; 'lines' are the "
         "function's own, 'inlined' those of elsewhere; 'file' is an index into 'files'; 'left_out' counts "
         "bytes "
         "of code past what one answer holds; 'bin_bytes' is how much code one sample may stand for.",
     .media_type = ROUTE_JSON,
     .schema = "source_lines",
     .argument = {"id", "The function's id in the snapshot."},
     .query = {QUERY_PAUSE},
     .errors = {400, 404, 410, 503}},
    {0},
};
