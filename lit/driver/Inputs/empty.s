# empty.s - assembly without a plug-in's work in it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
.text
.section .note.GNU-stack,"",@progbits
