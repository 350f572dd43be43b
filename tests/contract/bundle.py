#!/usr/bin/env python3
"""bundle.py - the page in few files (daemon/bundle): their content, and the errors for scripts that cannot be bundled.

usage: bundle.py SOURCE_ROOT. Prints TAP."""
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from cases import Skip, case, run_cases  # noqa: E402

WEBROOT = os.path.join(sys.argv[1], "webroot")
sys.path.insert(0, os.path.join(sys.argv[1], "daemon", "bundle"))
from modules import Script  # noqa: E402
from page import few_files  # noqa: E402
from whole import Whole  # noqa: E402


@contextlib.contextmanager
def folder_of(**files):
    """Yields a folder with the scripts; two underscores in a name are a slash."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = os.path.join(folder, name.replace("__", "/") + ".js")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        yield folder


def run(folder, path):
    """Output of the bundled script when it is run."""
    node = shutil.which("node")
    if not node:
        raise Skip("no node")
    script = Script(folder)
    script.add(path)
    one = os.path.join(folder, "one.mjs")
    with open(one, "w", encoding="utf-8") as f:
        f.write(script.text("./"))
    return subprocess.run([node, one], capture_output=True, text=True, check=True).stdout.split()


def refused(folder, path="main.js"):
    try:
        Script(folder).add(path)
    except SystemExit as why:
        return str(why)
    raise AssertionError("it was taken")


@case
def bundled_modules_behave_like_separate_ones():
    with folder_of(
            main="// main.js\nimport './first.js';\nimport {\n  a as b,\n  C,\n} from './below/second.js';\nimport * as all from './below/second.js';\n"
                 "console.log(b, new C().name, all.f(), Object.keys(all).sort().join());\n"
                 "console.log(new URL('./t.js', import.meta.url).pathname.split('/').at(-1));\n",
            first="/** Says\n * so. */\nconsole.log('first'); // and no more\n  /* once */\n/* one */ console.log('kept'); /* two */\n// it is not console.log('second');\n",
            below__second="import { told } from '../first2.js';\nexport const a = told('a');\nexport class C {\n  name = 'C';\n}\n"
                          "export async function g() {}\nexport function f() {\n  return inner();\n}\nfunction inner() {\n  return 'f';\n}\n",
            first2="export const told = (x) => `told-${x}`;\n") as folder:
        assert run(folder, "main.js") == ["first", "kept", "told-a", "C", "f", "C,a,f,g", "t.js"]


@case
def a_module_that_cannot_be_bundled_is_named():
    with folder_of(main="import { a } from './other.js';\n", other="import { b } from './main.js';\nexport const a = 1;\n") as folder:
        assert refused(folder) == "main.js imports itself by way of others. Break the circle."
    for words in ("export default 1;", "export let a = 1;", "export { a };", "export * from './other.js';", "import a from './other.js';",
                  "import { a } from 'package';", "const a = await import('./other.js');"):
        with folder_of(main=words + "\n", other="export const a = 1;\n") as folder:
            said = refused(folder)
            assert said.startswith("main.js: ") and words in said, said


@case
def indentation_is_a_tab_a_level_and_a_template_of_several_lines_is_refused():
    with folder_of(main="if (true) {\n  if (true) {\n    console.log(`a  b`);\n  }\n}\n") as folder:
        script = Script(folder)
        script.add("main.js")
        assert "\n\t\tconsole.log(`a  b`);\n\t}\n}" in script.text("./"), script.text("./")
    with folder_of(main="const text = `a\n  b`;\n") as folder:
        said = refused(folder)
        assert said.startswith("main.js: ") and "const text = `a" in said, said


@case
def a_module_that_would_end_its_script_is_refused():
    for words in ("</script>", "<!-- a -->", "%SNAPSHOT%"):
        with folder_of(report__report="const a = '%s';\n" % words) as folder:
            path = os.path.join(folder, "report", "report.html")
            with open(path, "w", encoding="utf-8") as f:
                f.write('<script type="module" src="report.js"></script>')
            try:
                Whole(path)
            except SystemExit as why:
                assert words[:4] in str(why), why
            else:
                raise AssertionError(words)


@case
def the_page_is_a_few_files_that_reference_only_each_other():
    files, inputs = few_files(WEBROOT)
    assert set(files) == {"index.html", "icon.svg", "css/page.css", "js/theme-first.js", "js/page.js", "js/worker/reader.js",
                          "js/worker/frames.js", "js/worker/snapshot.js", "report/report.html"}, sorted(files)
    named = re.findall(r'(?:href|src)="([^"#]+)"', files["index.html"])
    assert set(named) == {"icon.svg", "css/page.css", "js/theme-first.js", "js/page.js"}, named
    assert all(os.path.isfile(path) for path in inputs) and len(set(inputs)) > 150, len(set(inputs))


@case
def comments_after_code_are_left_out_and_strings_are_not_taken_for_them():
    with folder_of(main="export const a = 1; // why\nexport const b = 'x // y'; // z\nexport const c = [4, 2]; // c // c\n\n") as folder:
        script = Script(folder)
        script.add("main.js")
        assert [line for line in script.text("./").split("\n") if line.startswith("const ")][1:] == ["const a = 1;", "const b = 'x // y'; // z", "const c = [4, 2];"], script.text("./")


@case
def style_sheets_lose_only_comments_and_insignificant_space():
    def rules(text):
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        return re.sub(r"\s*([;{},])\s*", r"\1", re.sub(r"\s+", " ", text)).strip()

    with open(os.path.join(WEBROOT, "index.html"), encoding="utf-8") as f:
        paths = re.findall(r'<link rel="stylesheet" href="([^"]+)">', f.read())
    sheets = []
    for path in paths:
        with open(os.path.join(WEBROOT, path), encoding="utf-8") as f:
            sheets.append(f.read())
    served = few_files(WEBROOT)[0]
    assert rules(served["css/page.css"]) == rules("\n".join(sheets))
    for path in ("css/page.css", "report/report.html"):
        assert not re.search(r"^[ \t]*/\*", served[path], re.M), path


@case
def no_style_depends_on_what_the_page_or_a_view_contains():
    """With main:has() or .flame:has(), a browser computes the style of every element in it again when one changes: 10 ms, up to four times an update."""
    views = "|".join(name[:-3] for name in os.listdir(os.path.join(WEBROOT, "js", "view")) if name.endswith(".js"))
    large = re.compile(r"(?:\bhtml|\bbody|\bmain|:root|\.view|\.(?:%s)(?![\w-]))(?:\[[^]]*\]|[.#][\w-]+)*:(?:not\()?has\([^{]*" % views)
    found = []
    for folder, _, names in os.walk(WEBROOT):
        for name in names:
            if name.endswith((".css", ".html")):
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    found += [f"{name}: {rule}" for rule in large.findall(f.read())]
    assert not found, found


@case
def the_page_is_small():
    served = {path: len(text.encode()) for path, text in few_files(WEBROOT)[0].items() if not path.startswith("report/")}
    assert sum(served.values()) < 900000, served


def scripts(folder):
    """{path: text} of our own scripts below the folder."""
    found = {}
    for base, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "node_modules"]
        for name in names:
            if name.endswith((".js", ".mjs")):
                with open(os.path.join(base, name), encoding="utf-8") as f:
                    found[os.path.join(base, name)] = f.read()
    return found


def imported(texts):
    """{(path of a module, name)} of the names in braces that these scripts import from each other; and the modules imported as a whole."""
    names, whole = set(), set()
    for path, text in texts.items():
        for inside, module in re.findall(r"^(?:import|export)\s+(?:\{([^}]*)\}|\*(?: as \w+)?)\s+from\s+'(\.[^']+)'", text, re.M):
            module = os.path.normpath(os.path.join(os.path.dirname(path), module))
            names.update((module, name.split(" as ")[0].strip()) for name in inside.split(","))
            if not inside:
                whole.add(module)
    return names, whole


@case
def modules_export_only_names_that_are_imported():
    page = scripts(WEBROOT)
    names, whole = imported({**page, **scripts(os.path.join(sys.argv[1], "tests"))})
    exported = [(path, name) for path, text in page.items() for name in re.findall(r"^export (?:async )?(?:function\*?|const|let|class) (\w+)", text, re.M)]
    assert len(exported) > 500, len(exported)
    idle = [f"{os.path.relpath(path, WEBROOT)}: {name}" for path, name in exported if (path, name) not in names and path not in whole]
    assert not idle, idle


@case
def the_report_names_no_file_and_has_its_places():
    text = few_files(WEBROOT)[0]["report/report.html"]
    assert re.findall(r"%([A-Z]+)%", text) == ["FIGURES", "SNAPSHOT", "EXACTLY"]
    assert not re.search(r'<(?:script|link|img)[^>]*(?:href|src)="(?!data:)', text)
    assert text.count("<script") == text.count("</script>") == 5, text.count("<script")


if __name__ == "__main__":
    sys.exit(run_cases())
