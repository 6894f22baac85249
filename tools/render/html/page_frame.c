// page_frame.c - head with a policy that lets nothing in, styles, and the script at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/render/html/page_frame.h"

#include "tools/render/html/html.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

// page.css and page.js.
__asm__(".section .rodata\n"
        "page_css: .incbin \"" RETICLE_PAGE_FOLDER "/page.css\"\n .byte 0\n"
        "page_js: .incbin \"" RETICLE_PAGE_FOLDER "/page.js\"\n .byte 0\n"
        ".previous\n");
extern const char page_css[] __attribute__((visibility("hidden")));
extern const char page_js[] __attribute__((visibility("hidden")));

struct page_nonce page_nonce_new(void) {
  unsigned char bytes[16];
  struct page_nonce nonce;
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    abort(); // there is no such kernel
  for (size_t i = 0; i < sizeof bytes; i++)
    snprintf(nonce.hex + 2 * i, 3, "%02x", bytes[i]);
  return nonce;
}

void page_begin(const char *title, const struct page_nonce *nonce, struct text *out) {
  text_format(
      out,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'nonce-%s'; script-src 'nonce-%s'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
      nonce->hex, nonce->hex);
  html_text(out, title);
  text_format(out, " - Reticle</title>\n<style nonce=\"%s\">\n%s</style>\n</head>\n<body>\n",
              nonce->hex, page_css);
}

void page_end(const struct page_nonce *nonce, struct text *out) {
  text_format(out, "<script nonce=\"%s\">\n%s</script>\n</body>\n</html>\n", nonce->hex, page_js);
}
