/* test_syst_xml.c - collateral files: their meaning, and refused ones. */
#include "dialect/syst/xml.h"

#include "syst_talk.h"

#define HEAD "<?xml version=\"1.0\"?><s:Collateral xmlns:s=\"http://www.mipi.org/1.0/sys-t\">"
#define TAIL "</s:Collateral>"
#define ANY_GUID                                                                                             \
    "<s:Guids><s:Guid ID=\"{00000000-0000-0000-0000-000000000000}\""                                         \
    " Mask=\"{00000000-0000-0000-0000-000000000000}\"/></s:Guids>"

static struct syst_collateral *read_all(const char *const *files, size_t n)
{
    struct syst_collateral *collateral = syst_collateral_new();
    for (size_t i = 0; i < n; i++) {
        struct error err = {""};
        cr_assert(syst_xml_read(collateral, "some/where/demo.xml", files[i], strlen(files[i]), &err), "%s",
                  err.text);
    }
    syst_collateral_settle(collateral);
    return collateral;
}

static struct talk talk_with(const struct syst_collateral *collateral, const char *guid)
{
    struct dialect_setting settings[] = {{"framing", "hex"}, {"guid", guid}};
    return talk_open_with(&(struct dialect_settings){.settings = settings, .n = 2, .companion = collateral});
}

static const char demo[] = HEAD
    "<s:Client Name='demo'>" ANY_GUID "<s:Modules><s:Module ID='0x7'>motor</s:Module></s:Modules>"
    "<s:SourceFiles><s:File ID='3'><![CDATA[src/pump.c]]></s:File></s:SourceFiles>"
    "<s:Catalog32>"
    "<s:Format ID='0x100' Mask='0xFFFFFF00' File='3' Line='10'>group %x</s:Format>"
    "<s:Format ID='0x101' File='3' Line='11'><![CDATA[exact, but second]]></s:Format>"
    "<s:Format ID='513' File='9' Line='12'><![CDATA[a & b <%s>]]></s:Format>"
    "<s:Format ID='513'>never</s:Format>"
    "</s:Catalog32>"
    "<s:Catalog64><s:Format ID='0x1122334455667788'>wide %lu</s:Format></s:Catalog64>"
    "<s:Short32><s:Format ID='0x0E000000' Mask='0x0F000000'>error %d</s:Format></s:Short32>"
    "<s:Short64><s:Format ID='0x0E00000000000000' Mask='0x0F00000000000000'>count %llu</s:Format></s:Short64>"
    "<s:Write><s:Protocol ID='1' Mask='0'>Stream%d</s:Protocol></s:Write>"
    "</s:Client>" TAIL;

static void say_catalog(struct talk *talk, uint32_t id, const char *rest, size_t n)
{
    uint8_t payload[100];
    for (int i = 0; i < 4; i++)
        payload[i] = (uint8_t)(id >> 8 * i);
    memcpy(payload + 4, rest, n);
    talk_say(talk, &(struct syst_say){.type = 3, .subtype = 1, .origin = 7, .payload = payload, .n = 4 + n});
}

Test(syst_xml, catalogs_give_texts_files_and_lines)
{
    struct syst_collateral *collateral = read_all((const char *[]){demo}, 1);
    struct talk talk = talk_with(collateral, "");
    say_catalog(&talk, 0x201, "cd", 3);
    EXPECT_TEXT(&talk, "a & b <cd>");
    EXPECT_WORD(&talk, location, "9:12");
    EXPECT_WORD(&talk, origin, "motor");
    EXPECT_WORD(&talk, collateral, "demo.xml");
    say_catalog(&talk, 0x101, "\5\0\0\0", 4);
    EXPECT_TEXT(&talk, "group 5");
    EXPECT_WORD(&talk, location, "src/pump.c:10");
    say_catalog(&talk, 0x999, "\5", 1);
    EXPECT_WORD(&talk, status, "MISSING_COLLATERAL");
    EXPECT_TEXT(&talk, "0x00000999 05");
    talk_say(&talk,
             &(struct syst_say){.type = 3,
                                .subtype = 6,
                                .location = "\0\3\0\x2A\0",
                                .location_n = 5,
                                .payload = "\x88\x77\x66\x55\x44\x33\x22\x11\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
                                .n = 16});
    EXPECT_TEXT(&talk, "wide 18446744073709551615");
    EXPECT_WORD(&talk, location, "src/pump.c:42");
    talk_say(&talk, &(struct syst_say){.type = 3,
                                       .subtype = 1,
                                       .origin = 7,
                                       .location = "\2\x78\x56\x34\x12",
                                       .location_n = 5,
                                       .payload = "\1\1\0",
                                       .n = 4});
    EXPECT_WORD(&talk, location, "src/pump.c:10 0x12345678");
    talk_say(&talk, &(struct syst_say){.type = 6, .subtype = 5, .payload = "x", .n = 1});
    EXPECT_WORD(&talk, type, "RAW:Stream5");
    talk_close(&talk);
    syst_collateral_free(collateral);
}

Test(syst_xml, short_messages_are_those_of_the_client_the_user_names_or_of_the_only_one)
{
    static const uint8_t error[] = {0x51, 0x00, 0x00, 0xE0}, count[] = {0x97, 0, 0, 0, 0, 0, 0x00, 0xE0};
    struct syst_collateral *collateral = read_all((const char *[]){demo}, 1);
    struct stream lines = {0};
    struct talk talk = talk_with(collateral, "");
    syst_line(&lines, error, sizeof error);
    talk_hear(&talk, lines.bytes, lines.n);
    EXPECT_TEXT(&talk, "error 5");
    lines.n = 0;
    syst_line(&lines, count, sizeof count);
    talk_hear(&talk, lines.bytes, lines.n);
    EXPECT_TEXT(&talk, "count 9");
    talk_close(&talk);
    stream_fini(&lines);
    syst_collateral_free(collateral);
}

static const char two_clients[] =
    HEAD "<s:Client Name='one'><s:Guids><s:Guid ID='{494E5443-0000-4014-A65A-2F36A36D96E4}'/></s:Guids>"
         "<s:Builds><s:Build ID='0x10000' Mask='0xFFFF0000'>1.x</s:Build></s:Builds>"
         "<s:Catalog32><s:Format ID='5'>of one</s:Format></s:Catalog32></s:Client>"
         "<s:Client Name='new one'><s:Guids><s:Guid ID='{494E5443-0000-4014-A65A-2F36A36D96E4}'/></s:Guids>"
         "<s:Builds><s:Build ID='0x20000' Mask='0xFFFF0000'>2.x</s:Build></s:Builds>"
         "<s:Catalog32><s:Format ID='5'>of the new one</s:Format></s:Catalog32></s:Client>"
         "<s:Client Name='by origin'><s:Guids><s:Guid ID='{00000000-0000-0000-0900-000000000000}'"
         " Mask='{00000000-0000-0000-FF00-000000000000}'/></s:Guids>"
         "<s:Catalog32><s:Format ID='5'>of nine</s:Format></s:Catalog32></s:Client>" TAIL;

Test(syst_xml, clients_are_chosen_by_guid_origin_and_build)
{
    static const uint8_t guid[] = {0x49, 0x4E, 0x54, 0x43, 0,    0,    0x40, 0x14,
                                   0xA6, 0x5A, 0x2F, 0x36, 0xA3, 0x6D, 0x96, 0xE4};
    struct syst_collateral *collateral = read_all((const char *[]){two_clients}, 1);
    struct talk talk = talk_with(collateral, "");
    struct syst_say by_guid = {.type = 3, .subtype = 1, .guid = guid, .payload = "\5\0\0\0", .n = 4};
    talk_say(&talk, &by_guid);
    EXPECT_TEXT(&talk, "of one");
    EXPECT_WORD(&talk, origin, "one");
    talk_say(&talk, &(struct syst_say){
                        .type = 0, .subtype = 2, .guid = guid, .payload = "\x34\x12\2\0\0\0\0\0", .n = 8});
    talk_say(&talk, &by_guid);
    EXPECT_TEXT(&talk, "of the new one");
    talk_say(&talk, &(struct syst_say){
                        .type = 0, .subtype = 2, .guid = guid, .payload = "\0\0\3\0\0\0\0\0", .n = 8});
    EXPECT_WORD(&talk, status, "MISSING_COLLATERAL");
    EXPECT_TEXT(&talk,
                "0x0000000000030000 (no collateral is of this build: what follows is decoded without)");
    talk_say(&talk, &by_guid);
    EXPECT_WORD(&talk, status, "MISSING_COLLATERAL");
    EXPECT_TEXT(&talk, "0x00000005");
    talk_say(&talk, &(struct syst_say){.type = 3, .subtype = 1, .origin = 9, .payload = "\5\0\0\0", .n = 4});
    EXPECT_TEXT(&talk, "of nine");
    talk_say(&talk, &(struct syst_say){.type = 3, .subtype = 1, .origin = 8, .payload = "\5\0\0\0", .n = 4});
    EXPECT_WORD(&talk, status, "MISSING_COLLATERAL");
    talk_close(&talk);
    syst_collateral_free(collateral);
}

Test(syst_xml, a_missing_build_is_reported_only_for_known_clients)
{
    struct syst_collateral *collateral = read_all((const char *[]){two_clients}, 1);
    struct talk talk = talk_with(collateral, "");
    static const uint8_t guid[16] = {0x49, 0x4E, 0x54, 0x43, 0,    0,    0x40, 0x14,
                                     0xA6, 0x5A, 0x2F, 0x36, 0xA3, 0x6D, 0x96, 0xE4};
    struct syst_say wrong = {.subtype = 2, .guid = guid, .payload = "\1\0\4\0\0\0\0\0v4", .n = 10};
    for (int i = 0; i < 2; i++) { /* sent first of all, and once more */
        talk_say(&talk, &wrong);
        EXPECT_WORD(&talk, status, "MISSING_COLLATERAL");
        EXPECT_TEXT(
            &talk, "0x0000000000040001 v4 (no collateral is of this build: what follows is decoded without)");
    }
    wrong.payload = "\1\0\1\0\0\0\0\0v1";
    talk_say(&talk, &wrong);
    EXPECT_WORD(&talk, status, "OK");
    EXPECT_WORD(&talk, origin, "one");
    wrong.guid = NULL;
    wrong.origin = 8; /* an unknown one */
    wrong.payload = "\1\0\4\0\0\0\0\0v4";
    talk_say(&talk, &wrong);
    EXPECT_WORD(&talk, status, "OK");
    EXPECT_TEXT(&talk, "0x0000000000040001 v4");
    wrong.origin = 9; /* whose collateral names no builds */
    talk_say(&talk, &wrong);
    EXPECT_WORD(&talk, status, "OK");
    talk_close(&talk);
    syst_collateral_free(collateral);
}

Test(syst_xml, a_thousand_formats_are_found_in_any_order)
{
    struct stream file = {0};
    char line[200];
    stream_bytes(&file, HEAD "<s:Client Name='x'>" ANY_GUID "<s:Catalog32>",
                 strlen(HEAD "<s:Client Name='x'>" ANY_GUID "<s:Catalog32>"));
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(line, sizeof line, "<s:Format ID='%u'>number %u</s:Format>", i * 7919 % 1000,
                 i * 7919 % 1000);
        stream_bytes(&file, line, strlen(line));
    }
    stream_bytes(&file, "</s:Catalog32></s:Client>" TAIL, strlen("</s:Catalog32></s:Client>" TAIL) + 1);
    struct syst_collateral *collateral = read_all((const char *[]){(const char *)file.bytes}, 1);
    struct talk talk = talk_with(collateral, "");
    for (unsigned i = 0; i < 1000; i += 37) {
        snprintf(line, sizeof line, "number %u", i);
        say_catalog(&talk, i, "", 0);
        EXPECT_TEXT(&talk, line);
    }
    talk_close(&talk);
    syst_collateral_free(collateral);
    stream_fini(&file);
}

Test(syst_xml, bad_collateral_is_refused_with_its_line)
{
    static const struct {
        const char *file, *says;
    } cases[] = {
        {"", "line 1"},
        {"<a", "line 1"},
        {"<html/>", "syst:Collateral"},
        {HEAD "\n<s:Client Name='x'>\n<s:Guids><s:Guid ID='{12}'/></s:Guids></s:Client>" TAIL, "line 3"},
        {HEAD "<s:Client Name='x'><s:Catalog32><s:Format ID='zwölf'/></s:Catalog32></s:Client>" TAIL,
         "number"},
        {HEAD "<s:Client Name='x'><s:Catalog32><s:Format ID='-1'/></s:Catalog32></s:Client>" TAIL, "number"},
        {HEAD "<s:Client Name='x'><s:Catalog32><s:Format ID='0x'/></s:Catalog32></s:Client>" TAIL, "number"},
        {HEAD "<s:Client Name='x'><s:Catalog32><s:Format "
              "ID='99999999999999999999'/></s:Catalog32></s:Client>" TAIL,
         "number"},
        {HEAD "<s:Client Name='x'><s:Catalog32><s:Format>x</s:Format></s:Catalog32></s:Client>" TAIL,
         "needs an ID"},
        {HEAD "<s:Client>", "line 1"},
        {HEAD "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>", "too deep"},
        {"<?xml version='1.0' encoding='klingon'?>"
         "<a/>",
         "line 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct syst_collateral *collateral = syst_collateral_new();
        struct error err = {""};
        cr_assert_not(syst_xml_read(collateral, "bad.xml", cases[i].file, strlen(cases[i].file), &err),
                      "case %zu", i);
        cr_assert(strstr(err.text, "bad.xml") && strstr(err.text, cases[i].says), "case %zu: %s", i,
                  err.text);
        syst_collateral_free(collateral);
    }
}

Test(syst_xml, entity_bombs_and_external_entities_are_refused)
{
    static const char *const bombs[] = {
        "<!DOCTYPE lolz [<!ENTITY a 'lol'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
        "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>]><s:Collateral xmlns:s='x'>&c;</s:Collateral>",
        "<!DOCTYPE x [<!ENTITY out SYSTEM 'file:///etc/passwd'>]><s:Collateral "
        "xmlns:s='x'>&out;</s:Collateral>",
        "<!DOCTYPE x SYSTEM 'http://example.invalid/x.dtd'><s:Collateral xmlns:s='x'/>",
    };
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        struct syst_collateral *collateral = syst_collateral_new();
        struct error err = {""};
        cr_assert_not(syst_xml_read(collateral, "bomb.xml", bombs[i], strlen(bombs[i]), &err));
        cr_assert(strstr(err.text, "document type definition"), "%s", err.text);
        syst_collateral_free(collateral);
    }
}

Test(syst_xml, a_missing_or_special_file_is_named)
{
    const struct dialect *dialect = dialect_find("syst");
    static const char *const paths[] = {"/nonexistent/collateral.xml", "/dev/zero", "/"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct dialect_setting setting = {"collateral", paths[i]};
        struct error err = {""};
        void *companion = NULL;
        cr_assert_not(
            dialect->load(&(struct dialect_settings){.settings = &setting, .n = 1}, &companion, &err));
        cr_assert(strstr(err.text, paths[i]), "%s", err.text);
        cr_assert_null(companion);
    }
}
