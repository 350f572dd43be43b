/* fuzz_syst_xml.c - SyS-T collateral files. */
#include "fuzz.h"

#include "dialect/syst/xml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct syst_collateral *collateral = syst_collateral_new();
    struct error err = {""};
    FUZZ_CHECK(collateral);
    bool read = syst_xml_read(collateral, "fuzz.xml", (const char *)data, size, &err);
    FUZZ_CHECK(read == !*err.text);
    syst_collateral_settle(collateral);
    for (uint8_t origin = 0; origin < 3; origin++) {
        struct syst_sender sender = {.origin = origin};
        const struct syst_client *client = syst_collateral_find(collateral, &sender);
        for (int kind = 0; client && kind < SYST_TABLES; kind++)
            for (uint64_t key = 0; key < 4; key++) {
                const struct syst_entry *entry = syst_client_find(client, (enum syst_table_kind)kind, key);
                FUZZ_CHECK(!entry || !((entry->id ^ key) & entry->mask));
                FUZZ_CHECK(!entry || strlen(entry->text) <= entry->n);
            }
    }
    syst_collateral_free(collateral);
    return 0;
}

void fuzz_begin_with(struct stream *stream)
{
    static const char file[] =
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<s:Collateral xmlns:s=\"http://www.mipi.org/1.0/sys-t\">"
        "<s:Client Name=\"n\"><s:Guids><s:Guid ID=\"{00000000-0000-0000-0000-000000000000}\" "
        "Mask=\"{00000000-0000-0000-0300-000000000000}\"><![CDATA[x]]></s:Guid></s:Guids>"
        "<s:Builds><s:Build ID=\"0x1\" Mask=\"0xFF\">b</s:Build></s:Builds><!-- note -->"
        "<s:Modules><s:Module ID=\"1\">m&amp;&lt;&#65;</s:Module></s:Modules>"
        "<s:SourceFiles><s:File ID=\"2\">f.c</s:File></s:SourceFiles><s:Catalog32><s:Format ID=\"3\" "
        "File=\"2\" Line=\"9\"><![CDATA[%d < %s]]></s:Format><s:Format ID=\"0x2\" Mask=\"0x2\">y</s:Format>"
        "</s:Catalog32></s:Client></s:Collateral>";
    stream_bytes(stream, file, sizeof file - 1);
}
