/* test_listen.c - where the server listens: addresses, Unix sockets, and existing files at their paths. */
#include "server/listen.h"

#include "nobody.h"
#include "support/folder.h"
#include "support/scarce.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/stat.h>

static const struct {
    const char *text, *url;
    bool loopback;
} good[] = {
    {"127.0.0.1:7777", "http://127.0.0.1:7777/", true},
    {"localhost:80", "http://127.0.0.1:80/", true},
    {"[::1]:0", "http://[::1]:0/", true},
    {"0.0.0.0:7777", "http://0.0.0.0:7777/", false},
    {"[::]:65535", "http://[::]:65535/", false},
    {"10.1.2.3:1", "http://10.1.2.3:1/", false},
    {"[2001:db8::1]:1", "http://[2001:db8::1]:1/", false},
    {"[0:0:1::1]:1", "http://[0:0:1::1]:1/", false},
    {"[::1:0:1]:1", "http://[::1:0:1]:1/", false},
    {"[::2]:1", "http://[::2]:1/", false},
    {"unix:/run/page", "unix:/run/page", true},
};

Test(listen, addresses_are_read_strictly)
{
    static const char *const bad[] = {
        "",          "7777",           ":7777",
        "127.0.0.1", "127.0.0.1:",     "::1:7777",
        "[::1]",     "[::1]7777",      "[::1:7777",
        "[:1",       "[127.0.0.1]:1",  "127.0.0.1:65536",
        "host:1",    "127.0.0.1:-1",   "[]:1",
        "1.2.3:4",   "127.0.0.1:0x10", "a-name-that-is-longer-than-any-numeric-address-and-than-its-room:1",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct listen_address address;
        char url[LISTEN_URL_SIZE];
        cr_assert(listen_parse(good[i].text, &address, NULL), "%s", good[i].text);
        listen_url(&address, url);
        cr_expect_str_eq(url, good[i].url);
        cr_expect_eq(address.is_loopback, good[i].loopback, "%s", good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct listen_address address;
        struct error err = {0};
        cr_expect_not(listen_parse(bad[i], &address, &err), "%s", bad[i]);
        cr_expect(strstr(err.text, "ADDRESS:PORT"), "%s", err.text);
    }
}

Test(listen, the_path_of_a_socket_has_a_maximum_length)
{
    struct listen_address address;
    struct error err = {0};
    char longest[sizeof "unix:" + sizeof address.un.sun_path] = "unix:";
    cr_expect_not(listen_parse("unix:", &address, &err));
    cr_expect(strstr(err.text, "1 to 107 bytes"), "%s", err.text);
    memset(longest + strlen("unix:"), 'x', sizeof address.un.sun_path - 1);
    cr_expect(listen_parse(longest, &address, NULL));
    longest[strlen(longest)] = 'x';
    cr_expect_not(listen_parse(longest, &address, NULL));
}

static void expect_refused(const char *listen, const char *words)
{
    struct listen_address address;
    struct error err = {0};
    cr_assert(listen_parse(listen, &address, NULL));
    cr_expect_eq(listen_open(&address, &err), -1, "%s", listen);
    cr_expect(strstr(err.text, words), "%s: %s", listen, err.text);
}

Test(listen, a_refused_address_gives_advice)
{
    scarce_fail("bind", 1, EACCES);
    expect_refused("127.0.0.1:80", "choose a port above 1023");
    scarce_fail("bind", 1, EADDRNOTAVAIL);
    expect_refused("10.1.2.3:80", "none of this machine's");
    scarce_fail("listen", 1, EADDRINUSE);
    expect_refused("127.0.0.1:0", "--listen 127.0.0.1:0");
    scarce_fail("bind", 1, ENOBUFS);
    expect_refused("127.0.0.1:0", "Cannot listen on http://127.0.0.1:0/");
    scarce_begin(1);
    expect_refused("127.0.0.1:0", "Too many open files");
    cr_expect(scarce_end());
}

/* A socket in a folder of its own. */
static struct folder folder;
static struct folder_path path;
static char listen_text[160];

static void open_folder(void)
{
    folder = folder_new();
    path = folder_file(&folder, "page");
    snprintf(listen_text, sizeof listen_text, "unix:%s", path.text);
}

static void close_folder(void)
{
    folder_free(&folder);
}

TestSuite(listen_unix, .init = open_folder, .fini = close_folder);

static int open_good(struct listen_address *address)
{
    struct error err = {0};
    cr_assert(listen_parse(listen_text, address, NULL));
    int fd = listen_open(address, &err);
    cr_assert(fd >= 0, "%s", err.text);
    return fd;
}

static bool is_there(void)
{
    struct stat about;
    return lstat(path.text, &about) == 0;
}

/* A socket at the path without a listener; the caller closes it. */
static int bound(int type)
{
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    memcpy(un.sun_path, path.text, strlen(path.text));
    int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    cr_assert_eq(bind(fd, (struct sockaddr *)&un, sizeof un), 0);
    return fd;
}

Test(listen_unix, only_this_user_may_connect_and_the_socket_is_removed)
{
    struct listen_address address;
    struct stat about;
    int fd = open_good(&address);
    cr_assert_eq(lstat(path.text, &about), 0);
    cr_expect(S_ISSOCK(about.st_mode));
    cr_expect_eq(about.st_mode & 0777, 0600);
    expect_refused(listen_text, "taken");
    cr_expect(is_there(), "it is listened on");
    close(fd);
    listen_remove(&address);
    cr_expect_not(is_there());
    listen_remove(&address); /* the path was reused before */
}

Test(listen_unix, a_new_file_at_the_path_is_not_removed)
{
    struct listen_address address;
    int fd = open_good(&address);
    cr_assert_eq(unlink(path.text), 0);
    struct folder_path other = folder_file(&folder, "other");
    folder_write(&other, "precious", 8);
    folder_write(&path, "precious", 8);
    listen_remove(&address);
    cr_expect(is_there());
    close(fd);
}

Test(listen_unix, a_stale_socket_is_replaced)
{
    struct listen_address address;
    close(bound(SOCK_STREAM));
    cr_assert(is_there());
    int fd = open_good(&address);
    close(fd);
    listen_remove(&address);
}

Test(listen_unix, a_file_is_not_replaced_and_no_folder_is_made)
{
    folder_write(&path, "precious", 8);
    expect_refused(listen_text, "taken");
    cr_expect(is_there());
    expect_refused("unix:/nonexistent/page", "No such file or directory");
}

Test(listen_unix, a_socket_of_another_type_is_not_replaced)
{
    int fd = bound(SOCK_DGRAM);
    expect_refused(listen_text, "taken");
    cr_expect(is_there());
    close(fd);
}

Test(listen_unix, without_a_free_descriptor_no_socket_is_replaced)
{
    close(bound(SOCK_STREAM));
    scarce_begin(2);
    expect_refused(listen_text, "taken");
    cr_expect(scarce_end());
    cr_expect(is_there());
}

Test(listen_unix, a_socket_that_cannot_be_removed_is_reported_as_taken)
{
    close(bound(SOCK_STREAM));
    cr_assert_eq(chmod(path.text, 0666), 0); /* any user may find out that it has no listener */
    cr_assert_eq(chmod(folder.path, 0555), 0);
    bool is_root = rights_drop();
    expect_refused(listen_text, "taken");
    rights_restore(is_root);
    cr_expect(is_there());
    cr_assert_eq(chmod(folder.path, 0700), 0);
}

Test(listen_unix, a_socket_that_cannot_listen_is_removed)
{
    scarce_fail("listen", 1, ENOBUFS);
    expect_refused(listen_text, "Cannot listen on unix:");
    cr_expect_not(is_there());
}
