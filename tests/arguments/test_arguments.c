/* test_arguments.c - command lines are read by a table, and errors name the wrong argument. */
#include "arguments/arguments.h"
#include "arguments/suggestion.h"

#include <criterion/criterion.h>
#include <string.h>

struct toy {
    const char *port, *word, *unknown;
    uint32_t baud;
    double duration;
    uint64_t size;
    bool is_flag, is_on;
    int words, elfs;
};

static bool take_elf(void *user, const char *value, struct error *err)
{
    ((struct toy *)user)->elfs++;
    return strcmp(value, "bad") != 0 && (strcmp(value, "worse") != 0 || error_set(err, "Much worse."));
}

static bool take_word(void *user, const char *word, struct error *err)
{
    struct toy *toy = user;
    (void)err;
    toy->word = word;
    toy->words++;
    return true;
}

static bool take_unknown(void *user, const char *argument, struct error *err)
{
    (void)err;
    ((struct toy *)user)->unknown = argument;
    return true;
}

#define AT(name) .member = offsetof(struct toy, name)

static const struct argument_option rows[] = {
    {"port", 'p', .group = "Source", .value = "SOURCE", AT(port), .help = "where\nthere"},
    {"baud", 'b', .value = "N", AT(baud), .type = ARGUMENT_NUMBER, .least = 1, .most = 9, .help = "speed"},
    {"elf", .value = "FILE", .take = take_elf, .expects = "a good file", .words = "a b", .help = "firmware"},
    {"duration", .group = "Batch", .value = "S", AT(duration), .type = ARGUMENT_POSITIVE, .help = "time"},
    {"size", .value = "SIZE", AT(size), .type = ARGUMENT_SIZE, .help = "bytes"},
    {"flag", 'f', AT(is_flag), .help = "a flag"},
    {"no-thing", AT(is_on), .type = ARGUMENT_OFF, .help = "not"},
    {0}};
static const struct arguments strict = {.command = "toy",
                                        .usage = "usage: toy\n",
                                        .about = "A toy.\n",
                                        .examples = "toy -f\n",
                                        .notes = "n\n",
                                        .options = rows};
static const struct arguments lax = {.options = rows, .operand = take_word, .unknown = take_unknown};

static bool parse(const struct arguments *command, struct toy *toy, struct error *err,
                  const char *const *words)
{
    int n = 1;
    const char *argv[16] = {"toy"};
    for (; words[n - 1]; n++)
        argv[n] = words[n - 1];
    *toy = (struct toy){.is_on = true};
    *err = (struct error){""};
    return arguments_parse(command, toy, n, (char *const *)(const void *)argv, err);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(arguments, values_go_where_the_table_says)
{
    struct toy toy;
    struct error err;
    cr_assert(parse(&strict, &toy, &err,
                    WORDS("-p", "x", "--baud=7", "--duration", "1.5", "--size=2M", "-f", "--no-thing",
                          "--elf", "")),
              "%s", err.text);
    cr_expect_str_eq(toy.port, "x");
    cr_expect(toy.baud == 7 && toy.duration == 1.5 && toy.size == 2 << 20 && toy.is_flag && !toy.is_on);
    cr_expect_eq(toy.elfs, 1);
    cr_assert(parse(&strict, &toy, &err, WORDS("-b3", "--port=", "--port", "-f")), "%s", err.text);
    cr_expect(toy.baud == 3 && !toy.is_flag);
    cr_expect_str_eq(toy.port, "-f");
}

Test(arguments, an_error_names_the_wrong_argument)
{
    static const struct {
        const char *words[3], *sentence;
    } wrong[] = {
        {{"--baud", "10"}, "--baud takes a number from 1 to 9, not '10'."},
        {{"--baud", "-1"}, "--baud takes a number from 1 to 9, not '-1'."},
        {{"-b"}, "--baud needs a value: N."},
        {{"--elf", "bad"}, "--elf takes a good file, not 'bad'."},
        {{"--elf", "worse"}, "Much worse."},
        {{"--duration=nan"}, "--duration takes a number greater than 0, not 'nan'."},
        {{"--size", "1"}, "--size takes a size such as 500M, of 1M at least, not '1'."},
        {{"--size", "9999999T"}, "--size takes a size such as 500M, of 1M at least, not '9999999T'."},
        {{"--flag=yes"}, "--flag takes no value."},
        {{"--prot", "x"}, "There is no option '--prot'; did you mean --port?"},
        {{"--durat"}, "There is no option '--durat'; did you mean --duration?"},
        {{"--buad=3"}, "There is no option '--buad'; did you mean --baud?"},
        {{"--colour"}, "There is no option '--colour'."},
        {{"-x"}, "There is no option '-x'."},
        {{"-flag"}, "There is no option '-flag'; did you mean --flag?"},
        {{"more"}, "There is nothing to do with 'more'."},
        {{"--"}, "There is nothing to do with '--'."},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct toy toy;
        struct error err;
        cr_expect_not(parse(&strict, &toy, &err, wrong[i].words), "%s", wrong[i].words[0]);
        cr_expect_str_eq(err.text, wrong[i].sentence);
    }
}

Test(arguments, unknown_options_are_passed_on_if_the_table_allows)
{
    struct toy toy;
    struct error err;
    cr_assert(parse(&lax, &toy, &err, WORDS("--what=x", "a", "-f", "b")));
    cr_expect_str_eq(toy.unknown, "--what=x");
    cr_expect_str_eq(toy.word, "b");
    cr_expect(toy.words == 2 && toy.is_flag);
}

Test(arguments, one_option_can_be_taken_before_the_others)
{
    struct toy toy = {0};
    struct error err = {""};
    char *const argv[] = {(char[]){"toy"}, (char[]){"--port"}, (char[]){"x"}, (char[]){"-b"}, (char[]){"3"}};
    cr_assert(arguments_parse_some(&strict, &toy, 5, argv, "port", true, &err));
    cr_expect(toy.port && toy.baud == 0);
    toy.port = NULL;
    cr_assert(arguments_parse_some(&strict, &toy, 5, argv, "port", false, &err));
    cr_expect(!toy.port && toy.baud == 3);
}

Test(arguments, help_is_the_table_in_groups)
{
    struct sink_buffer text;
    sink_buffer_init(&text);
    arguments_write_help(&strict, &text.sink);
    cr_expect_eq(strncmp(text.bytes, "usage: toy\n\nA toy.\n\nSource:\n  -p, --port SOURCE  ", 49), 0, "%s",
                 text.bytes);
    cr_expect(strstr(text.bytes, "where\n                               there\n"), "%s", text.bytes);
    cr_expect(strstr(text.bytes, "\n\nBatch:\n      --duration S "), "%s", text.bytes);
    cr_expect(strstr(text.bytes, "\n\nExamples:\n  toy -f\n\nn\n"), "%s", text.bytes);
    sink_buffer_clear(&text);
    arguments_write_table(&strict, &text.sink);
    cr_expect_eq(strncmp(text.bytes, "port\tp\tSOURCE\t\tSource\twhere\n", 28), 0, "%s", text.bytes);
    cr_expect(strstr(text.bytes, "\nelf\t\tFILE\ta b\tSource\tfirmware\n"), "%s", text.bytes);
    sink_buffer_fini(&text);
}

Test(suggestion, letters_that_are_wrong_missing_too_many_or_swapped_count)
{
    static const struct {
        const char *word, *meant;
        unsigned distance;
        bool is_likely;
    } pairs[] = {{"check", "check", 0, true},  {"chek", "check", 1, true},     {"cehck", "check", 1, true},
                 {"checkk", "check", 1, true}, {"doc", "doctor", 3, true},     {"x", "elf", 3, false},
                 {"mop", "top", 1, true},      {"capture", "doctor", 5, false}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        size_t n = strlen(pairs[i].word);
        cr_expect_eq(suggestion_distance(pairs[i].word, n, pairs[i].meant), pairs[i].distance, "%s: %u",
                     pairs[i].word, suggestion_distance(pairs[i].word, n, pairs[i].meant));
        cr_expect_eq(suggestion_is_likely(pairs[i].word, n, pairs[i].meant), pairs[i].is_likely, "%s",
                     pairs[i].word);
    }
    cr_expect_not(suggestion_is_likely("a-word-that-is-longer-than-any-option", 37, "port"));
}
