#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""Promises of ./muster, held against stand-ins for dpkg, apt, sudo, cmake, ninja and ctest that write down their calls."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REAL_TOOLS = ("bash", "cat", "dirname", "env", "flock", "grep", "mkdir", "nproc", "rm", "sed", "tail")
VERBS = ("run", "test", "build", "server", "swarm", "top", "bench", "gate", "plugin", "level", "editor", "monitor", "clean", "packages")

FAKES = {
    "id": "echo ${FAKE_UID:-0}",
    # Every package is installed but those of FAKE_MISSING.
    "dpkg-query": """shift 3
for p in "$@"; do case " ${FAKE_MISSING:-} " in *" $p "*) ;; *) echo "installed $p" ;; esac; done""",
    "apt-get": 'log apt-get "$@"; exit ${FAKE_APT_STATUS:-0}',
    "sudo": 'log sudo "$1"; exec "$@"',
    "cmake": """log cmake "$@"; [ "$1" = --preset ] || exit 9; mkdir -p "build/$2"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" > "build/$2/CMakeCache.txt"; : > "build/$2/build.ninja" """,
    "ninja": 'log ninja "$@"; exit ${FAKE_NINJA_STATUS:-0}',
    "ctest": 'log ctest "$@"; echo "100% tests passed"',
}


class MusterScript(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.root = Path(self.temporary.name) / "tree"
        self.tools = Path(self.temporary.name) / "tools"
        self.tools.mkdir()
        (self.root / "Engine/Build").mkdir(parents=True)
        shutil.copytree(ROOT / "Engine/Build/Packages", self.root / "Engine/Build/Packages")
        for file in ("muster", "CMakePresets.json"):
            shutil.copy(ROOT / file, self.root / file)
        for tool in REAL_TOOLS:
            (self.tools / tool).symlink_to(shutil.which(tool))
        for tool, body in FAKES.items():
            self.fake(self.tools / tool, body)
        self.calls = self.root / "calls.txt"

    def fake(self, path, body):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!{self.tools}/bash\nlog() {{ printf "%s\\n" "$*" >> "$CALLS"; }}\n{body}\n')
        path.chmod(0o755)

    def add_program(self, folder, name, body="exit 0", preset="release"):
        (self.root / folder).mkdir(parents=True)
        (self.root / folder / "CMakeLists.txt").touch()
        self.fake(self.root / "build" / preset / "bin" / name, body)

    def muster(self, *arguments, **environment):
        self.calls.write_text("")
        result = subprocess.run(
            [self.root / "muster", *arguments],
            env={"PATH": str(self.tools), "CALLS": str(self.calls), "HOME": "", **environment},
            capture_output=True, text=True, timeout=30, check=False, stdin=subprocess.DEVNULL)
        self.called = self.calls.read_text().splitlines()
        return result

    def test_help_names_every_verb_and_each_verb_explains_itself(self):
        text = self.muster("help").stdout
        for verb in VERBS:
            self.assertIn(f"\n  {verb} ", text)
            answer = self.muster(verb, "--help")
            self.assertEqual((answer.returncode, self.called), (0, []), verb)
            self.assertIn(f"usage: ./muster {verb}", answer.stdout)

    def test_without_a_verb_it_helps(self):
        self.assertIn("usage: ./muster VERB", self.muster().stdout)

    def test_an_unknown_verb_is_refused(self):
        answer = self.muster("sing")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("no verb 'sing'", answer.stderr)

    def test_a_verb_without_its_program_says_so_and_installs_nothing(self):
        for verb in ("top", "bench", "plugin", "level", "editor", "monitor", "server", "swarm", "run", "gate"):
            answer = self.muster(verb, FAKE_MISSING="cmake")
            self.assertEqual((answer.returncode, self.called), (3, []), verb)
            self.assertIn("not there yet", answer.stderr)

    def test_run_needs_server_and_swarm_too(self):
        self.add_program("Engine/Programs/Gate", "muster-gate")
        answer = self.muster("run")
        self.assertEqual((answer.returncode, self.called), (3, []))
        self.assertIn("muster-server", answer.stderr)

    def test_nothing_is_installed_when_nothing_is_missing(self):
        self.assertEqual(self.muster("build").returncode, 0)
        self.assertFalse([c for c in self.called if "apt-get" in c])

    def test_only_the_missing_packages_are_installed(self):
        self.assertEqual(self.muster("build", FAKE_MISSING="libenet-dev ninja-build").returncode, 0)
        self.assertEqual(self.called[:2], [
            "apt-get -qq update", "apt-get -qq -y -o Dpkg::Use-Pty=0 install --no-install-recommends libenet-dev ninja-build"])

    def test_a_user_installs_through_sudo(self):
        self.assertEqual(self.muster("build", FAKE_MISSING="cmake", FAKE_UID="1000").returncode, 0)
        self.assertEqual(self.called[:2], ["sudo apt-get", "apt-get -qq update"])
        self.assertEqual(self.called[2], "sudo env")

    def test_without_root_and_sudo_it_says_what_to_install(self):
        (self.tools / "sudo").unlink()
        answer = self.muster("build", FAKE_MISSING="libenet-dev", FAKE_UID="1000")
        self.assertEqual((answer.returncode, self.called), (1, []))
        self.assertIn("apt-get install --no-install-recommends libenet-dev", answer.stderr)

    def test_a_failed_installation_ends_it(self):
        answer = self.muster("build", FAKE_MISSING="cmake", FAKE_APT_STATUS="100")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("could not be installed: cmake", answer.stderr)
        self.assertFalse([c for c in self.called if c.startswith("ninja")])

    def test_installing_can_be_forbidden(self):
        self.assertEqual(self.muster("build", FAKE_MISSING="cmake", MUSTER_NO_INSTALL="1").returncode, 0)
        self.assertFalse([c for c in self.called if "apt-get" in c])

    def test_packages_of_a_list_can_be_installed_alone(self):
        self.assertEqual(self.muster("packages", "ci", FAKE_MISSING="clang-14 cmake").returncode, 0)
        self.assertEqual(self.called[1:], ["apt-get -qq -y -o Dpkg::Use-Pty=0 install --no-install-recommends clang-14"])
        self.assertEqual(self.muster("packages", "nosuch").returncode, 2)
        self.assertEqual(self.muster("packages").returncode, 2)

    def test_another_system_than_debian_is_told_so_and_goes_on(self):
        (self.tools / "dpkg-query").unlink()
        answer = self.muster("build")
        self.assertEqual(answer.returncode, 0)
        self.assertIn("no Debian system", answer.stderr)

    def test_a_second_build_does_not_configure_again(self):
        self.muster("build")
        self.assertIn("cmake --preset release", self.called)
        self.muster("build")
        self.assertEqual([c.split()[0] for c in self.called], ["ninja"])

    def test_a_tree_that_moved_is_built_anew(self):
        self.muster("build")
        (self.root / "build/release/CMakeCache.txt").write_text("CMAKE_HOME_DIRECTORY:INTERNAL=elsewhere\n")
        self.muster("build")
        self.assertIn("cmake --preset release", self.called)

    def test_build_passes_preset_and_targets(self):
        self.muster("build", "--preset", "tsan", "CoreTests")
        self.assertEqual(self.called, ["cmake --preset tsan", f"ninja -C {self.root}/build/tsan CoreTests"])
        self.muster("build", "--preset=dev", MUSTER_JOBS="3")
        self.assertEqual(self.called[1], f"ninja -C {self.root}/build/dev -j 3")

    def test_a_failed_build_fails(self):
        answer = self.muster("test", FAKE_NINJA_STATUS="1")
        self.assertEqual(answer.returncode, 1)
        self.assertFalse([c for c in self.called if c.startswith("ctest")])

    def test_an_unknown_preset_is_refused(self):
        for preset in ("fast", "../x", "", "a b"):
            self.assertEqual(self.muster("build", "--preset", preset).returncode, 2, preset)
        self.assertEqual(self.muster("build", "--preset").returncode, 2)

    def test_test_compiles_headers_alone_and_ends_with_ctest(self):
        answer = self.muster("test", "-R", "AckWindow", MUSTER_JOBS="2")
        self.assertIn("all all_verify_interface_header_sets", self.called[1])
        self.assertEqual(self.called[-1], "ctest --preset release --parallel 2 -R AckWindow")
        self.assertTrue(answer.stdout.endswith("100% tests passed\n"))

    def test_a_program_gets_its_arguments_and_gives_its_status(self):
        self.add_program("Engine/Programs/Swarm", "muster-swarm", 'log swarm "$@"; exit 7')
        answer = self.muster("swarm", "--clients", "3", "--", "--preset", "x")
        self.assertEqual(answer.returncode, 7)
        self.assertEqual(self.called[-2:], [
            f"ninja -C {self.root}/build/release muster-swarm plugins", "swarm --clients 3 --preset x"])

    def test_gate_and_run_are_told_the_build_tree(self):
        for folder, name in (("Engine/Programs/Gate", "muster-gate"), ("Server", "muster-server"),
                             ("Engine/Programs/Swarm", "muster-swarm")):
            self.add_program(folder, name, f'log {name} "$@"')
        self.muster("run", "--duration", "5")
        self.assertEqual(self.called[-1], f"muster-gate run --build-dir {self.root}/build/release --duration 5")
        self.muster("gate", "skeleton", "--quick")
        self.assertEqual(self.called[-1], f"muster-gate skeleton --build-dir {self.root}/build/release --quick")
        self.assertEqual(self.muster("gate").returncode, 2)

    def test_gate_core_in_full_brings_benchmarks_and_fuzz_targets(self):
        for folder, name in (("Engine/Programs/Gate", "muster-gate"), ("Server", "muster-server"),
                             ("Engine/Programs/Swarm", "muster-swarm")):
            self.add_program(folder, name)
        for arguments, wanted in ((["core", "--full"], True), (["core", "--full", "--only", "fuzz"], True),
                                  (["core", "--full", "--only", "storm"], False), (["core", "--quick"], False),
                                  (["core", "--full", "--list"], False), (["skeleton", "--full"], False)):
            self.muster("gate", *arguments)
            ninja = [call for call in self.called if call.startswith("ninja")]
            self.assertEqual(any("fuzzers" in call for call in ninja), wanted, arguments)
            self.assertEqual(any("muster-bench" in call for call in ninja), wanted, arguments)

    def test_clean_removes_one_preset_or_all(self):
        self.muster("build")
        self.muster("build", "--preset", "dev")
        self.muster("clean", "--preset", "dev")
        self.assertEqual([p.name for p in (self.root / "build").iterdir() if p.is_dir()], ["release"])
        self.muster("clean")
        self.assertFalse((self.root / "build").exists())
        self.assertEqual(self.muster("clean", "everything").returncode, 2)


if __name__ == "__main__":
    unittest.main()
