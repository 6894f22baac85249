// exit_code.h - what every command exits with (`reticle run` passes on the program's own status)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_SUPPORT_EXIT_CODE_H
#define RETICLE_TOOLS_SUPPORT_EXIT_CODE_H

enum exit_code {
  EXIT_FINE = 0,
  EXIT_FINDING = 1,
  EXIT_USAGE = 2,
  EXIT_UNREADABLE = 3,
  EXIT_INCONCLUSIVE = 4,     ///< `reticle check` only
  EXIT_RETICLE_FAILED = 125, ///< `reticle run` only: the program was not started
};

#endif
