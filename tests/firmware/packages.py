#!/usr/bin/env python3
"""Tests the agent as a package for CMake, ESP-IDF, the Pico SDK, Zephyr, PlatformIO and Arduino.

    packages.py ROOT

Files are compared with the documents of the systems that read them. A plain project is built by CMake, and its program run; for the others
CMake reads the same files with stand-ins for their functions, which print their arguments. Exit status: 0 right, 1 wrong."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    yaml = None
try:
    import kconfiglib
except ImportError:
    kconfiglib = None

ROOT = os.path.abspath(sys.argv[1])
FIRMWARE = os.path.join(ROOT, "firmware-ref")
BOARD = os.path.join(ROOT, "tests/firmware/all")
CATEGORIES = {"Display", "Communication", "Signal Input/Output", "Sensors", "Device Control", "Timing", "Data Storage", "Data Processing", "Other"}
# Stand-ins for functions of ESP-IDF, the Pico SDK and Zephyr, which print their arguments.
IDF = """set(ESP_PLATFORM 1)
function(idf_component_register)
  cmake_parse_arguments(A "" "" "SRCS;INCLUDE_DIRS" ${ARGN})
  add_library(component STATIC ${A_SRCS})
  target_include_directories(component PUBLIC ${A_INCLUDE_DIRS})
  file(WRITE ${CMAKE_SOURCE_DIR}/told "${A_SRCS}")
  set(COMPONENT_LIB component PARENT_SCOPE)
endfunction()
add_subdirectory(${FIRMWARE} agent)
"""
PICO = """add_library(pico_stdlib_headers INTERFACE)
add_library(pico_stdlib INTERFACE)
add_subdirectory(${FIRMWARE} agent)
get_target_property(sources mpt SOURCES)
get_target_property(linked mpt LINK_LIBRARIES)
if(NOT linked STREQUAL "pico_stdlib_headers")
  message(FATAL_ERROR "mpt is linked with ${linked}")
endif()
file(WRITE ${CMAKE_SOURCE_DIR}/told "${sources}")
"""
ZEPHYR = """foreach(name zephyr_include_directories zephyr_compile_definitions zephyr_library_named)
  function(${name})
    file(APPEND ${CMAKE_SOURCE_DIR}/said "${ARGN}\\n")
  endfunction()
endforeach()
function(zephyr_library_sources)
  file(WRITE ${CMAKE_SOURCE_DIR}/told "${ARGN}")
endfunction()
set(APPLICATION_SOURCE_DIR ${CMAKE_SOURCE_DIR})
set(CONFIG_MPT y)
set(CONFIG_MPT_BOARD_DIR ${MPT_BOARD_DIR})
set(CONFIG_MPT_TASKS 8)
add_subdirectory(${FIRMWARE}/zephyr agent)
"""
PLAIN = """add_subdirectory(${FIRMWARE} agent)
add_executable(program ${BOARD}/stream.c)
target_compile_definitions(program PRIVATE ALL_AGENT="mpt.h")
target_compile_options(program PRIVATE -fno-pie)
target_link_options(program PRIVATE -no-pie)
target_link_libraries(program PRIVATE miniprofd::mpt)
add_library(measured OBJECT measured.c)
mpt_instrument(measured)
"""
failed = 0


def tell(is_right, what, why=""):
    global failed
    failed += not is_right
    print(f"{'ok' if is_right else 'not ok'} - {what}" + ("" if is_right else f"\n{why}"))


def run(*command, **how):
    return subprocess.run(command, capture_output=True, text=True, check=False, **how)


def text_of(name):
    with open(os.path.join(FIRMWARE, name), encoding="utf-8") as file:
        return file.read()


def version():
    with open(os.path.join(ROOT, "meson.build"), encoding="utf-8") as file:
        return re.search(r"version: '([\d.]+)'", file.read())[1]


def check_platformio():
    library = json.loads(text_of("library/library.json"))
    known = {"name": str, "version": str, "description": str, "keywords": list, "license": str, "frameworks": str, "platforms": list, "headers": str,
             "build": dict, "export": dict}
    wrong = [key for key, value in library.items() if not isinstance(value, known.get(key, ()))] + [key for key in known if key not in library]
    tell(not wrong, "library.json has what PlatformIO knows, and all of it", wrong)
    tell(re.fullmatch(r"[A-Za-z0-9 ._+-]{1,100}", library["name"]) and len(library["description"]) <= 1000, "its name and description are short enough")
    tell(library["version"] == version(), "library.json has the project's version", library["version"])
    tell(set(library["build"]) <= {"flags", "unflags", "srcDir", "includeDir", "srcFilter", "libArchive"}, "it is built with what PlatformIO knows")
    return library


def check_arduino():
    lines = [line for line in text_of("library/library.properties").splitlines() if line and not line.startswith("#")]
    fields = dict(line.split("=", 1) for line in lines)
    wanted = {"name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures"}
    tell(wanted <= set(fields) <= wanted | {"includes", "depends", "dot_a_linkage", "precompiled", "ldflags"}, "library.properties has its fields", fields)
    tell(len(fields) == len(lines), "each of them once")
    tell(re.fullmatch(r"[A-Za-z][A-Za-z0-9 ._-]{0,62}", fields["name"]) is not None, "its name is one that the Arduino IDE takes", fields["name"])
    tell(fields["version"] == version(), "library.properties has the project's version", fields["version"])
    tell(fields["category"] in CATEGORIES, "its category is one of the IDE's", fields["category"])


def check_zephyr():
    if not yaml:
        print("ok - zephyr/module.yml # SKIP python3-yaml is not installed")
    else:
        module = yaml.safe_load(text_of("zephyr/module.yml"))
        tell(set(module) == {"name", "build"} and set(module["build"]) == {"cmake", "kconfig"}, "module.yml has what Zephyr's schema knows", module)
        tell(os.path.exists(os.path.join(FIRMWARE, module["build"]["cmake"], "CMakeLists.txt"))
             and os.path.exists(os.path.join(FIRMWARE, module["build"]["kconfig"])), "its files are there", module)
    config, kconfig = text_of("mpt_config.h"), text_of("zephyr/Kconfig")
    defaults = dict(re.findall(r"^#define (MPT_\w+) (\d+)$", config, re.M))
    options = dict(re.findall(r"^(?:menu)?config (\w+)$(?:\n\t.*)*?\n\tdefault (\d+)$", kconfig, re.M))
    asked = re.search(r"foreach\(setting (.*)\)", text_of("zephyr/CMakeLists.txt"))[1].split()
    tell(set(asked) == set(options), "what CMake asks of Kconfig is there", (asked, options))
    differ = [name for name in options if name != "MPT_TASKS" and options[name] != defaults.get(name, "0")]  # 0: computed by the agent
    tell(not differ, "its defaults are the agent's", differ)
    bad = [line for line in kconfig.splitlines() if not re.match(r"$|#|\t|(menuconfig|config|if|endif)\b", line)]
    tell(not bad, "Kconfig has no other lines than Zephyr reads here", bad)


def configured(*lines):
    """Returns (value of MPT, warnings) of Zephyr's Kconfig with these lines in prj.conf."""
    os.environ["AGENT"] = FIRMWARE
    tree = kconfiglib.Kconfig(os.path.join(ROOT, "tests/firmware/zephyr.Kconfig"), warn_to_stderr=False)
    tree.warn_assign_undef = True
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as config:
        config.write("".join(line + "\n" for line in lines))
        config.flush()
        tree.load_config(config.name)
    return tree.syms["MPT"].str_value, tree.warnings


def check_kconfig():
    """Checks that Kconfig gives no warning, which Zephyr's build treats as an error."""
    if not kconfiglib:
        print("ok - Zephyr's Kconfig # SKIP python3-kconfiglib is not installed")
        return
    documented = ["CONFIG_TRACING=y", "CONFIG_TRACING_USER=y", "CONFIG_MPT=y", 'CONFIG_MPT_BOARD_DIR="port"', "CONFIG_MPT_TASKS=8"]
    is_on, warnings = configured(*documented)
    tell(is_on == "y" and not warnings, "Kconfig takes what README.md says, without a warning", warnings)
    for why, lines in {"another format is chosen": ["CONFIG_TRACING=y", "CONFIG_TRACING_CTF=y", "CONFIG_MPT=y"],
                       "Zephyr's own instrumentation has the hooks": [*documented, "CONFIG_INSTRUMENTATION=y"]}.items():
        is_on, _ = configured(*lines)  # which Zephyr's build treats as an error
        tell(is_on == "n", f"the agent is off where {why}", is_on)


def check_processors(directory):
    """Checks that the agent compiles for Xtensa, whose code lies above 0x40000000, and refuses a 16-bit int. A usual run compiles only the ring
    for Xtensa, which has the addresses."""
    sources = sorted(glob.glob(os.path.join(FIRMWARE, "mpt*.c")))
    include = ["-I", FIRMWARE, "-I", ROOT, "-I", os.path.join(FIRMWARE, "port/nop"), "-ffreestanding", "-Os", "-Wall", "-Werror", "-c"]
    whole = os.path.join(directory, "address.c")
    with open(whole, "w", encoding="utf-8") as file:
        file.write('#include "mpt_ring.h"\n_Static_assert(MPT_WORD_KIND == 1u && MPT_CODE_SHIFT == 1, "bit 30 is of the address");\n')
    if not shutil.which("xtensa-lx106-elf-gcc"):
        print("ok - Xtensa # SKIP gcc-xtensa-lx106 is not installed")
    else:
        said = [done.stderr for source in [*(sources if os.environ.get("TEST_ALL") else [os.path.join(FIRMWARE, "mpt_ring.c")]), whole]
                if (done := run("xtensa-lx106-elf-gcc", *include, source, "-o", os.path.join(directory, "xtensa.o"))).returncode]
        tell(not said, "Xtensa's addresses keep their bit 30", "".join(said)[:2000])
    if not shutil.which("avr-gcc"):
        print("ok - AVR # SKIP gcc-avr is not installed")
    else:
        done = run("avr-gcc", "-mmcu=atmega2560", *include, sources[0], "-o", os.path.join(directory, "avr.o"))
        tell(done.returncode != 0 and "int has 32 bits; on AVR" in done.stderr, "an AVR is refused with the reason", done.stderr[:2000])


def configure(directory, name, lines, board=BOARD, build=False):
    folder = os.path.join(directory, name)
    os.makedirs(folder)
    with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write("cmake_minimum_required(VERSION 3.13)\nproject(program LANGUAGES C)\n" + lines)
    with open(os.path.join(folder, "measured.c"), "w", encoding="utf-8") as file:
        file.write("int measured(void);\nint measured(void)\n{\n    return 1;\n}\n")
    done = run("cmake", "-G", "Ninja", "-S", folder, "-B", os.path.join(folder, "build"), f"-DFIRMWARE={FIRMWARE}", f"-DBOARD={BOARD}", f"-DMPT_BOARD_DIR={board}",
               "-DMPT_SETTINGS=MPT_TASKS=3;MPT_RING_RECORDS=256;MPT_STACK_DEPTH=16")
    if build and done.returncode == 0:
        done = run("cmake", "--build", os.path.join(folder, "build"), "-j2")
    return folder, done


def check_cmake(directory):
    if not shutil.which("cmake"):
        print("ok - CMake # SKIP cmake is not installed")
        return
    agent = {os.path.realpath(path) for path in glob.glob(os.path.join(FIRMWARE, "mpt*.c"))}
    folder, done = configure(directory, "plain", PLAIN, build=True)
    tell(done.returncode == 0, "a plain project is built by CMake", done.stdout + done.stderr)
    sent = subprocess.run([os.path.join(folder, "build/program")], capture_output=True, check=False, timeout=60).stdout if done.returncode == 0 else b""
    tell(len(sent) > 20000, f"its program sends what it should: {len(sent)} bytes")
    measured = run("nm", *glob.glob(os.path.join(folder, "build/CMakeFiles/measured.dir/*.o"))).stdout
    tell("__cyg_profile_func_enter" in measured, "mpt_instrument() has a target measured", measured)
    for name, lines, more in (("idf", IDF, 0), ("pico", PICO, 0), ("zephyr", ZEPHYR, 2)):
        folder, done = configure(directory, name, lines)
        tell(done.returncode == 0, f"CMake reads it as {name}", done.stderr)
        told = os.path.join(folder, "told")
        sources = open(told, encoding="utf-8").read().split(";") if os.path.exists(told) else []
        found = {os.path.realpath(path) for path in sources if os.path.exists(path)}
        tell(len(sources) == len(found) == len(agent) + 9 + more and agent <= found, f"{name} lists all of the agent's files, and no other", sources)
    _, done = configure(directory, "no-board", "add_subdirectory(${FIRMWARE} agent)\n", board="nowhere")
    tell(done.returncode != 0 and "has no mpt_board.h: set it" in " ".join(done.stderr.split()), "without a board it says what to set", done.stderr)


def check_library(directory, library):
    made = run(sys.executable, os.path.join(ROOT, "scripts/amalgamate"), "--library", os.path.join(directory, "library"))
    there = {os.path.relpath(path, os.path.join(directory, "library")) for path in glob.glob(os.path.join(directory, "library/**"), recursive=True)}
    wanted = {"LICENSE", "README.md", "library.json", "library.properties", "src/mpt_all.c", "src/mpt_all.h"}
    tell(made.returncode == 0 and wanted <= there, "the script makes a library of it", (made.stderr, there))
    tell(all(os.path.exists(os.path.join(directory, "library", name)) for name in library["export"]["include"] + [library["build"]["srcDir"]]),
         "what library.json names is in it")
    compiled = run("gcc", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{BOARD}", os.path.join(directory, "library/src/mpt_all.c"))
    tell(compiled.returncode == 0, "its source compiles with a board's header", compiled.stderr)


def main():
    library = check_platformio()
    check_arduino()
    check_zephyr()
    check_kconfig()
    with tempfile.TemporaryDirectory() as directory:
        check_cmake(directory)
        check_library(directory, library)
        check_processors(directory)
    return 1 if failed else 0


sys.exit(main())
