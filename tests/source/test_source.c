/* test_source.c - the forms of a source, and errors for other strings. */
#include "source/source.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct source *try_new(const char *spec, uint32_t baud, double speed, struct error *err)
{
    *err = (struct error){""};
    return source_new(&(struct source_settings){.spec = spec, .baud = baud, .speed = speed}, err);
}

Test(source, every_documented_form_is_understood)
{
    static const char *const specs[] = {
        "/dev/ttyNONE0",     "serial:ttyNONE0",    "serial:/dev/ttyNONE0", "ttyNONE0",      "COM3",
        "./nowhere/tty",     "../nowhere/tty",     "ttyNONE_0.1-a",        "tcp:host:4000", "tcp:[::1]:4000",
        "rfc2217:host:4000", "rfc2217:[::1]:4000", "unix:/nowhere/socket", "file:none",     "-",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct error err;
        struct source *source = try_new(specs[i], 115200, 0, &err);
        cr_assert_not_null(source, "%s: %s", specs[i], err.text);
        cr_assert_str_eq(source_spec(source), specs[i]);
        cr_assert_not(source_is_open(source));
        bool is_file = strncmp(specs[i], "file:", 5) == 0 || strcmp(specs[i], "-") == 0;
        cr_assert_eq(source_is_finite(source), is_file);
        cr_assert_eq(source_can_write(source), !is_file);
        source_free(source);
    }
}

Test(source, an_unknown_source_lists_the_valid_forms)
{
    static const char *const specs[] = {"",         "capture.bin", "http://host/", "tcp",
                                        "SERIAL:x", "tty",         "tty/../x"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct error err;
        cr_assert_null(try_new(specs[i], 115200, 0, &err), "%s", specs[i]);
        cr_assert(strstr(err.text, "tcp:HOST:PORT") && strstr(err.text, "file:PATH"), "%s", err.text);
    }
}

Test(source, an_incomplete_source_names_the_missing_part)
{
    static const struct {
        const char *spec, *says;
    } cases[] = {
        {"tcp:", "needs a host and a port"},
        {"tcp:host", "needs a host and a port"},
        {"tcp::4000", "needs a host and a port"},
        {"tcp:[]:4000", "needs a host and a port"},
        {"tcp:::1:4000", "in brackets"},
        {"tcp:[::1:4000", "in brackets"},
        {"tcp:host:/", "is no port"},
        {"tcp:host:12x", "is no port"},
        {"tcp:host:", "is no port"},
        {"tcp:host:0", "is no port"},
        {"tcp:host:65536", "is no port"},
        {"tcp:host:-1", "is no port"},
        {"tcp:host:00000000001", "is no port"},
        {"tcp:host:http", "is no port"},
        {"unix:", "needs the path"},
        {"file:", "needs the path"},
        {"serial:", "--list-ports"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err;
        cr_assert_null(try_new(cases[i].spec, 115200, 0, &err), "%s", cases[i].spec);
        cr_assert(strstr(err.text, cases[i].says), "%s: %s", cases[i].spec, err.text);
    }
}

Test(source, a_name_of_any_length_gives_an_error)
{
    char spec[8192];
    memset(spec, 'x', sizeof spec);
    spec[sizeof spec - 1] = '\0';
    static const char *const prefixes[] = {"/", "file:", "unix:/", "tcp:", "serial:"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        for (size_t length = 200; length < sizeof spec; length += 997) {
            struct error err;
            memcpy(spec, prefixes[i], strlen(prefixes[i]));
            spec[length] = '\0';
            struct source *source = try_new(spec, 115200, 0, &err);
            cr_assert(source || *err.text);
            source_free(source);
            spec[length] = 'x';
        }
    }
}

Test(source, a_pace_is_only_for_recordings)
{
    static const char *const specs[] = {"/dev/ttyNONE0", "tcp:host:1", "unix:/x", "-"};
    struct error err;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        cr_assert_null(try_new(specs[i], 115200, 1, &err), "%s", specs[i]);
        cr_assert(strstr(err.text, "--speed"), "%s", err.text);
    }
    cr_assert_null(try_new("file:x", 115200, -1, &err));
    cr_assert_null(try_new("file:x", 115200, __builtin_nan(""), &err));
}

Test(source, a_port_needs_a_possible_speed)
{
    struct error err;
    cr_assert_null(try_new("/dev/ttyNONE0", 0, 0, &err));
    cr_assert(strstr(err.text, "--baud"), "%s", err.text);
    cr_assert_null(try_new("/dev/ttyNONE0", UINT32_MAX, 0, &err));
}

Test(source, the_ports_of_this_machine_can_be_listed)
{
    struct source_port *ports = NULL;
    size_t n = 0;
    struct error err = {""};
    if (!source_list_ports(&ports, &n, &err)) {
        cr_assert(strstr(err.text, "/sys/class/tty"), "%s", err.text);
        return;
    }
    for (size_t i = 0; i < n; i++)
        cr_assert(ports[i].name[0] != '\0');
    free(ports);
}
