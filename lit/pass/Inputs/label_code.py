# label_code.py - compiles sources with and without labels of blocks, and compares all but debug information
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: label_code.py LLVM-BIN PLUGIN SOURCE... -- FLAG...
import os
import subprocess
import sys
import tempfile

llvm, plugin = sys.argv[1:3]
end = sys.argv.index('--')
sources, flags = sys.argv[3:end], sys.argv[end + 1:]


def sections(source, features, folder):
    """What is loaded, and its relocations, as text."""
    clang = os.path.join(llvm, 'clang' if source.endswith('.c') else 'clang++')
    path = os.path.join(folder, features.replace(',', '-') + '.o')
    subprocess.run([clang, *flags, '-w', '-fplugin=' + plugin,
                    '-fplugin-arg-reticle-features=' + features, '-c', source, '-o', path],
                   check=True)
    bare = os.path.join(folder, 'bare.o')
    drop = [word for name in ('.pseudo_probe', '.llvm_bb_addr_map', '.llvm_addrsig')
            for word in ('--remove-section=' + name, '--remove-section=.rela' + name)]
    subprocess.run([os.path.join(llvm, 'llvm-objcopy'), '--strip-debug', *drop, path, bare],
                   check=True)
    said = subprocess.run([os.path.join(llvm, 'llvm-readelf'), '-S', path], check=True,
                          capture_output=True, text=True).stdout
    if ('.pseudo_probe' in said) != ('label' in features):
        sys.exit(f'{source}: features={features}: labels are {"missing" if "label" in features else "there"}')
    return subprocess.run([os.path.join(llvm, 'llvm-objdump'), '-s', '-d', '-r', bare], check=True,
                          capture_output=True, text=True).stdout


differ = 0
with tempfile.TemporaryDirectory(dir='.') as folder:
    for source in sources:
        plain, labelled = (sections(source, f, folder) for f in ('loop', 'loop,label'))
        if 'Disassembly of section .text' not in plain:
            sys.exit(f'{source}: there is no code')
        if plain != labelled:
            differ += 1
            print(f'{source}: its code differs')
sys.exit(f'{differ} of {len(sources)} differ' if differ else 0)
