"""Runs a command and prints a JSON line: its wall seconds, CPU seconds and peak memory in MB.

Started as a script of its own, and tiny: a process counts the memory of the one it was forked from among its peak.
"""

import json
import resource
import subprocess
import sys
import time

if __name__ == "__main__":
    start = time.perf_counter()
    done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3 / 1.024)  # bytes there, KiB elsewhere
    json.dump(
        {
            "code": done.returncode,
            "seconds": seconds,
            "cpu": used.ru_utime + used.ru_stime,
            "peak_mb": peak,
            "err": done.stderr,
        },
        sys.stdout,
    )
