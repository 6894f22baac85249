# axe.py - what axe-core finds wrong with a page for people who can't see it well, in light and dark.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   axe.py AXE_MIN_JS FOLDER PAGE...
# The page's own rule forbids scripts of others, so axe is put into a copy without the rule. Opens all that is folded. Prints a
# line for each page and scheme; fails on a violation, on a message of the console, and where axe said nothing.
import json
import os
import re
import subprocess
import sys

RUN = """
for (const d of document.querySelectorAll("details")) d.open = true;
axe.run(document, {resultTypes: ["violations"]}).then((r) => {
  const told = document.createElement("pre");
  told.id = "axe-told";
  told.textContent = JSON.stringify(r.violations.map((v) => [v.impact, v.id, v.nodes.length, String(v.nodes[0].target)]));
  document.body.append(told);
});
"""


def look(axe, page, folder, scheme):
    with open(page, encoding="utf-8") as file:
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", file.read(), count=1)
    with open(axe, encoding="utf-8") as file:
        script = file.read().replace("</script", "<\\/script")
    copy = os.path.join(folder, f"{os.path.basename(page)}.{scheme}.html")
    with open(copy, "w", encoding="utf-8") as file:
        file.write(f"{text}<script>{script}</script><script>{RUN}</script>")
    done = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-quic", "--enable-logging=stderr", "--virtual-time-budget=60000",
         *(["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []), f"--user-data-dir={folder}/browser", "--dump-dom",
         f"file://{os.path.abspath(copy)}"], capture_output=True, text=True, check=True, timeout=240)
    told = re.search(r'<pre id="axe-told">(.*?)</pre>', done.stdout, re.S)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    if not told:
        sys.exit(f"{page}: axe said nothing\n" + "\n".join(console))
    violations = json.loads(told[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    print(os.path.basename(page), scheme, "violations:", violations or "none", "console:", console or "empty")
    return bool(violations or console)


sys.exit(any([look(sys.argv[1], page, sys.argv[2], scheme) for page in sys.argv[3:] for scheme in ("light", "dark")]))
