"""ci_readers.py - models how CI tools parse output: the runners of GitHub and Azure, editors that know gcc's format, and readers of JUnit XML.
They follow the tools' documents, and fail where the tool would fail."""
import re
import xml.etree.ElementTree as ET


def _decoded(text, codes):
    """Decodes as the runner does: the code for '%' comes last, so that nothing is decoded twice."""
    for code, character in (*codes, ("%25", "%")):
        text = text.replace(code, character)
    return text


def github_commands(text):
    """Returns [(command, properties, message)] of the commands that GitHub's runner obeys, in both forms: ::name key=value,key=value::message at
    the start of a line, and ##[name key=value;key=value]message anywhere."""
    found = []
    for line in re.split("\r\n|\r|\n", text):
        new = re.match(r"\s*::([^:\s]+)(?: ([^:]*(?::(?!:)[^:]*)*))?::(.*)", line)
        old = re.search(r"##\[([^\]\s]+)(?: ([^\]]*))?\](.*)", line)
        if new:
            pairs = [pair.split("=", 1) for pair in (new[2] or "").split(",") if "=" in pair]
            properties = {key.strip(): _decoded(value, (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","))) for key, value in pairs}
            found.append((new[1], properties, _decoded(new[3], (("%0D", "\r"), ("%0A", "\n")))))
        elif old:
            found.append((old[1], dict(pair.split("=", 1) for pair in (old[2] or "").split(";") if "=" in pair), old[3]))
    return found


def azure_commands(text):
    """Returns the commands that the agent of Azure Pipelines obeys: ##vso[area.event key=value;]message anywhere, and its formats ##[section]."""
    return re.findall(r"##vso\[[^\]]*\].*|##\[(?:group|endgroup|section|command|warning|error|debug)\].*", text)


def gcc_diagnostics(text):
    """Returns [(file, line, column, severity, message)] as VS Code's matcher $gcc parses it. Each line has to match."""
    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"(.*?):(\d+):(\d*):?\s+(?:fatal\s+)?(warning|error):\s+(.*)", line)
        assert match, line
        found.append((match[1], int(match[2]), int(match[3]), match[4], match[5]))
    return found


# element: (required attributes, optional attributes, child elements), as in Jenkins' schema, with the `file` and `line` of a case that GitLab and
# pytest's xunit1 know.
JUNIT = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors", "disabled"}, {"testsuite"}),
    "testsuite": ({"name", "tests"}, {"failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package", "file", "log", "url", "version", "group", "disabled"},
                  {"properties", "testcase", "system-out", "system-err", "testsuite"}),
    "testcase": ({"name"}, {"classname", "time", "status", "assertions", "file", "line"}, {"skipped", "error", "failure", "system-out", "system-err", "properties"}),
    "skipped": (set(), {"message", "type"}, set()),
    "error": (set(), {"message", "type"}, set()),
    "failure": (set(), {"message", "type"}, set()),
    "system-out": (set(), set(), set()),
    "system-err": (set(), set(), set()),
}


def _check_element(element, parent):
    needed, allowed, inner = JUNIT[element.tag]
    assert needed <= set(element.keys()) <= needed | allowed, (element.tag, element.attrib)
    assert {child.tag for child in element} <= inner, (element.tag, [child.tag for child in element])
    for number in ("tests", "failures", "errors", "skipped", "line"):
        assert element.get(number) is None or element.get(number).isdecimal(), (number, element.attrib)
    if element.tag == "testcase":
        results = [child.tag for child in element if child.tag in ("skipped", "error", "failure")]
        assert len(results) <= 1, ("one result for a case", results)
    if element.tag == "testsuite":
        cases = element.findall("testcase")
        for attribute, tag in ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"):
            assert int(element.get(attribute, 0)) == sum(case.find(tag) is not None for case in cases), (attribute, element.attrib)
        assert int(element.get("tests")) == len(cases), element.attrib
        names = [(case.get("classname"), case.get("name"), case.get("file"), case.get("line")) for case in cases]
        assert len(set(names)) == len(names), "readers distinguish cases by these"
    for child in element:
        _check_element(child, element)


def junit_cases(text):
    """Returns {name: result} of all cases; result is "passed", "failure", "error" or "skipped". Fails if the file does not follow the schema."""
    top = ET.fromstring(text)
    assert top.tag in ("testsuites", "testsuite"), top.tag
    _check_element(top, None)
    return {case.get("name"): next((child.tag for child in case if child.tag in ("skipped", "error", "failure")), "passed") for case in top.iter("testcase")}
