"""Runs a command and prints a JSON line: its wall seconds, CPU seconds and peak memory in MB.

Started as a script of its own, and tiny: a process counts the memory of the one it was forked from among its peak.
"""

import json
import subprocess
import sys
import time

try:
    import resource
except ImportError:  # Windows does not count for others what they have used
    resource = None  # type: ignore[assignment]  # there is no such module there

if __name__ == "__main__":
    start = time.perf_counter()
    done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    seconds = time.perf_counter() - start
    cpu = peak = float("nan")
    if resource is not None:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = used.ru_utime + used.ru_stime
        peak = used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3 / 1.024)  # bytes there, KiB elsewhere
    json.dump(
        {
            "code": done.returncode,
            "seconds": seconds,
            "cpu": cpu,
            "peak_mb": peak,
            "err": done.stderr,
        },
        sys.stdout,
    )
