"""The engines of this process as figures: batches, requests, breakers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from mien.engine.runtime.breaker import State
from mien.engine.runtime.dispatcher import SIZES
from mien.engine.runtime.served import ServedEngine, living


def engines() -> Iterator[Metric]:
    """Yield figures by engine; those of the same name count together."""
    by_name: defaultdict[str, list[ServedEngine]] = defaultdict(list)
    for engine in living():
        by_name[engine.name].append(engine)
    yield _batches(by_name)
    yield from _requests(by_name)
    yield _breakers(by_name)


def _batches(by_name: dict[str, list[ServedEngine]]) -> Metric:
    family = HistogramMetricFamily(
        "mien_engine_batch_size", "For how many requests each run of an engine was.", labels=["engine"]
    )
    for name, same in by_name.items():
        sizes: Counter[int] = sum((Counter(each.counts.batches) for each in same), Counter())
        buckets = [
            (f"{most:.1f}", float(sum(n for size, n in sizes.items() if size <= most))) for most in SIZES
        ]
        buckets.append(("+Inf", float(sizes.total())))
        family.add_metric([name], buckets, float(sum(size * n for size, n in sizes.items())))
    return family


def _requests(by_name: dict[str, list[ServedEngine]]) -> Iterator[Metric]:
    for what, tells in (
        ("missed", "Requests whose result came after their deadline."),
        ("failed", "Requests that an engine failed on."),
        ("refused", "Requests that found the engine's queue full."),
    ):
        family = CounterMetricFamily(f"mien_engine_requests_{what}", tells, labels=["engine"])
        for name, same in by_name.items():
            family.add_metric([name], sum(getattr(each.counts, what) for each in same))
        yield family


def _breakers(by_name: dict[str, list[ServedEngine]]) -> Metric:
    """One series for each engine of a chain; an engine alone has no breaker."""
    family = GaugeMetricFamily(
        "mien_engine_breaker_open",
        "Whether an engine is set aside for the next of its chain: 1, or 0.5 while one try decides.",
        labels=["engine", "link"],
    )
    worth = {State.CLOSED: 0.0, State.HALF_OPEN: 0.5, State.OPEN: 1.0}
    for name, same in by_name.items():
        links = [pair for each in same for pair in each.breakers().items()]
        for link in dict.fromkeys(link for link, _ in links):
            family.add_metric([name, link], max(worth[state] for known, state in links if known == link))
    return family
