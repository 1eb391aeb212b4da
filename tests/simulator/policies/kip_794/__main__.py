"""Print what was published beside what comes out."""

from tests.simulator.policies.kip_794.producer import PUBLISHED_MS, run

for name, published_ms in PUBLISHED_MS.items():
    found = run(name)
    mean = f"{found.mean_ms:9,.2f} ms (published {published_ms:9,.2f})"
    print(f"{name:24} {mean}, p99 {found.p99_ms:7,.0f} ms, {found.slow_percent:.0f} % to the slow broker")
