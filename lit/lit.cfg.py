# lit.cfg.py - the behaviour tests: what a RUN line may use, and what this machine can run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Started on the build tree: `lit BUILD/lit`, for another LLVM `lit --param llvm=22 BUILD/lit`.
# CONTRIBUTING.md lists the substitutions and features.
import os
import subprocess
import sys

if not hasattr(config, "reticle_build_dir"):
    lit_config.fatal("run lit on the build tree, as in `lit build/dev/lit`, not on the source tree")

sys.path.insert(0, os.path.join(config.reticle_source_dir, "lit", "support"))
import machine
import plain_paths
import recorded
import toolchain

plain_paths.replace(config)
major = lit_config.params.get("llvm") or config.reticle_default_llvm
llvm = toolchain.find(major)
if llvm is None:
    lit_config.fatal(f"no clang {major} with FileCheck here; install it: "
                     f"apt-get install clang-{major} llvm-{major}-tools")

config.name = f"reticle-llvm{major}"
config.llvm_major = major
config.suffixes = [".c", ".cpp", ".ll", ".test", ".s"]
config.excludes = ["support", "Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.reticle_source_dir, "lit")
# One tree for each LLVM, so that runs for two of them don't meet.
config.test_exec_root = os.path.join(config.reticle_build_dir, "lit", f"llvm-{major}")
# bash with pipefail, so that a test reads like the commands a user would type.
shell = plain_paths.LinkedShTest(config.test_source_root, config.test_exec_root, execute_external=True)
# With -j, too: tests of lit/timed run one after the other.
lit_config.parallelism_groups["timed"] = 1
config.test_format = recorded.Recorded(shell, lit_config.params.get("record"))

config.environment.update({
    "RETICLE_CC": llvm.clang,
    "RETICLE_CXX": llvm.clangxx,
    # The timing floor is cached; the user's cache is neither read nor written.
    "XDG_CACHE_HOME": os.path.join(config.test_exec_root, "cache"),
    "HOME": config.test_exec_root,
    "LC_ALL": "C.UTF-8",
    # reticle is found as a program started from the prompt would be.
    "PATH": config.reticle_bin_dir + os.pathsep + config.environment.get("PATH", ""),
    "PYTHONDONTWRITEBYTECODE": "1",
})
os.makedirs(config.environment["XDG_CACHE_HOME"], exist_ok=True)


def path_in_lib(name):
    return os.path.join(config.reticle_lib_dir, name)


def runtime_flags(archive):
    """Link flags for one of the runtime archives, as reticle-clang adds them."""
    return ("-Wl,--push-state,--whole-archive " + path_in_lib(archive) +
            " -Wl,--no-whole-archive,--pop-state -Wl,--export-dynamic-symbol='__reticle_*'")


AARCH64 = "--target=aarch64-linux-gnu"
# Longest name first is not needed: \b keeps %clang from matching inside %clangxx, and _ is a letter.
config.substitutions += [
    (r"%reticle_cc\b", os.path.join(config.reticle_bin_dir, "reticle-clang")),
    (r"%reticle_cxx\b", os.path.join(config.reticle_bin_dir, "reticle-clang++")),
    (r"%aarch64_cc\b", os.path.join(config.reticle_bin_dir, "reticle-clang") + " " + AARCH64),
    (r"%aarch64_cxx\b", os.path.join(config.reticle_bin_dir, "reticle-clang++") + " " + AARCH64),
    (r"%aarch64_rt_scripted\b", runtime_flags("aarch64-linux-gnu/libreticle_rt_scripted.a")),
    # The emulator, with the libc that Debian's cross compiler links.
    (r"%run_aarch64\b", "qemu-aarch64 -L /usr/aarch64-linux-gnu"),
    (r"%reticle_lib\b", config.reticle_lib_dir),
    (r"%reticle\b", os.path.join(config.reticle_bin_dir, "reticle")),
    # More options follow with a colon: %env_reticle:period=1 %t/app
    (r"%env_reticle\b", "env RETICLE_OPTIONS=report=0:out=%t.prof"),
    (r"%pmu_fake\b", "-Wl,--whole-archive " + path_in_lib("libreticle_pmu_fake.a") + " -Wl,--no-whole-archive"),
    (r"%rt_scripted\b", runtime_flags("libreticle_rt_scripted.a")),
    (r"%rt\b", runtime_flags("libreticle_rt.a")),
    (r"%plugin\b", path_in_lib("reticle.so")),
    (r"%pass_plugin\b", os.path.join(config.reticle_plugin_dir, f"ReticlePassOpt-{major}.so")),
    (r"%clangxx\b", llvm.clangxx),
    (r"%clang\b", llvm.clang),
    (r"%opt\b", llvm.tool("opt")),
    (r"%llvm_bin\b", llvm.bin),
    (r"%llvm_major\b", major),
    (r"%FileCheck\b", llvm.tool("FileCheck") + " --dump-input-filter=error"),
    (r"%list_blocks\b", os.path.join(config.reticle_unit_dir, "list_blocks")),
    (r"%list_counts\b", os.path.join(config.reticle_unit_dir, "list_counts")),
    (r"%step_counts\b", os.path.join(config.reticle_unit_dir, "step_counts")),
    (r"%not\b", llvm.tool("not")),
    (r"%python\b", sys.executable),
    (r"%lit\b", os.path.abspath(sys.argv[0])),
    (r"%cmake\b", config.reticle_cmake),
    (r"%src\b", config.reticle_source_dir),
    (r"%build\b", config.reticle_build_dir),
    (r"%support\b", os.path.join(config.test_source_root, "support")),
]

# Where ./bootstrap.sh check has put it, if there is npm.
axe = os.path.join(os.path.dirname(config.reticle_build_dir), "npm", "node_modules", "axe-core", "axe.min.js")
config.substitutions.append((r"%axe\b", axe))
if os.path.exists(axe):
    config.available_features.add("axe-core")

config.available_features |= {f"llvm-{major}"} | machine.features() | llvm.features()
if os.path.exists(os.path.join(config.reticle_plugin_dir, f"ReticlePass-{major}.so")):
    config.available_features.add("plugin")
if os.path.exists(path_in_lib("libreticle_rt.a")):
    config.available_features.add("runtime")
if os.path.exists(path_in_lib("aarch64-linux-gnu/libreticle_rt.a")):
    config.available_features.add("aarch64-runtime")
if os.path.exists(os.path.join(config.reticle_bin_dir, "reticle")):
    config.available_features.add("tool")
# What the tool itself says: pprof needs libraries that may have been missing.
tool = os.path.join(config.reticle_bin_dir, "reticle")
if os.path.exists(tool):
    said = subprocess.run([tool, "export", "--pprof", os.devnull, os.devnull], capture_output=True, text=True, check=False)
    if "built without" not in said.stderr:
        config.available_features.add("pprof-built")
    said = subprocess.run([tool, "push", "--retry", "0", "postgresql:///x?host=/nonexistent", os.devnull], capture_output=True, text=True,
                          check=False)
    if "built without" not in said.stderr:
        config.available_features.add("push-built")
