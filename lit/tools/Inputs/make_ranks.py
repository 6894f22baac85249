# make_ranks.py - profiles of a job's ranks in a folder, some of which are slow.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   make_ranks.py FOLDER RANKS [RANK:work|RANK:slow ...] [--hosts N]
import argparse
import pathlib
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("ranks", type=int)
parser.add_argument("slow", nargs="*")
parser.add_argument("--hosts", type=int, default=1)
args = parser.parse_args()
how = dict(word.split(":") for word in args.slow)
args.folder.mkdir()
for rank in range(args.ranks):
    kind = how.get(str(rank))
    work, ticks = {"work": (300, 30020), "slow": (100, 20020)}.get(kind, (100, 10020))
    host = f"node{rank * args.hosts // args.ranks}" if args.hosts > 1 else "testhost"
    subprocess.run([sys.executable, pathlib.Path(__file__).parent / "make_profile.py", str(args.folder / f"{rank}.prof"),
                    f"env.pid={100 + rank}", f"env.start_time_s={1700000000 + rank}", f"env.host={host}", "object",
                    "rank", f"rank={rank}", f"size={args.ranks}", f"local_rank={rank}", "job=4711",
                    "loop", "function=compute", "line=40", "executions=200000", f"raw=2000*{ticks}~200@{work}",
                    "loop", "function=other", "id=7", "line=50", "executions=2000", "raw=2000*10020~200@100"], check=True)
    (args.folder / f"{rank}.prof.txt").unlink()
