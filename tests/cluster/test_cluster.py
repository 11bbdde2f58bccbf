"""Games played by a Dask cluster: the same bytes as with threads, whatever dies meanwhile."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.analysis.studies.calibrate.rates import read_rates
from numbluff_sim.analysis.studies.calibrate.space import Space
from numbluff_sim.config import load
from numbluff_sim.config.origin import Origin
from numbluff_sim.config.personas import personas
from numbluff_sim.contract.registry import LOADED
from numbluff_sim.errors import ConfigError, RunError
from numbluff_sim.run import spans
from numbluff_sim.run.playing import How, simulate_tally
from numbluff_sim.run.runner import run_simulation
from numbluff_sim.run.stop import Interrupted, Stop
from numbluff_sim.run.store import load_run
from numbluff_sim.studies.calibrate.study import Task, calibrate
from numbluff_sim.studies.compare.study import compare
from numbluff_sim.studies.compare.variants import variant
from numbluff_sim.studies.sweep.asked import read_sweep
from numbluff_sim.studies.sweep.study import run_sweep
from tests.cluster.processes import Processes, wait_for
from tests.common.fake_game import FAKE, fake_config

pytest.importorskip("distributed")
from numbluff_sim.run.cluster import Cluster
from tests.common.held import LIMIT

pytestmark = pytest.mark.filterwarnings("ignore")  # what Dask warns of is not ours


@pytest.fixture(autouse=True)
def fake_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LOADED, "fake", FAKE)
    monkeypatch.setattr(spans, "PART_ROWS", 5120)


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    started = Processes(tmp_path_factory.mktemp("cluster"), 2)
    yield started
    started.close()


@pytest.fixture(scope="module")
def cluster(processes: Processes) -> Iterator[Cluster]:
    with Cluster(processes.address, patience=LIMIT) as connected:
        wait_for(lambda: connected.refresh() or connected.threads == 2)
        yield connected


def contents(folder: Path) -> dict[str, bytes]:
    """Every Parquet file of a run by its name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


def in_background(work: Callable[[], Any]) -> Callable[[], Any]:
    """Start something; what is returned waits for its result, or raises what it raised."""
    result: list[Any] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:  # noqa: BLE001  raised again where it is waited for
            result.append(error)

    thread = threading.Thread(target=run)
    thread.start()

    def outcome() -> Any:
        thread.join(LIMIT)
        assert result
        if isinstance(result[0], BaseException):
            raise result[0]
        return result[0]

    return outcome


@pytest.mark.parametrize("rows", ["none", "rounds"])
def test_simulate__same_bytes_as_threads(cluster: Cluster, rows: str, tmp_path: Path) -> None:
    config = fake_config(games=20 * 1024 + 7, rows=rows)
    run_simulation(config, tmp_path / "threads")
    run_simulation(config, tmp_path / "cluster", executor=cluster)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "threads")
    assert not [path for path in (tmp_path / "cluster").rglob("*") if "probe" in path.name or "partial" in path.name]


def test_simulate__a_worker_killed_while_it_plays(processes: Processes, cluster: Cluster) -> None:
    config = fake_config(games=64 * 1000)
    processes.hold()
    outcome = in_background(lambda: simulate_tally(config, executor=cluster))
    wait_for(lambda: len(processes.playing()) == 2)
    killed = processes.playing()[0]
    [worker] = [one for one in processes._all if one.pid == killed]
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    processes.add_worker()
    processes.open()
    tally = outcome()
    assert all((tally[name] == values).all() for name, values in simulate_tally(config).items())
    wait_for(lambda: cluster.refresh() or cluster.threads == 2)


def test_simulate__stopped(processes: Processes, cluster: Cluster, tmp_path: Path) -> None:
    config, stop = fake_config(games=64 * 10_000), Stop()
    processes.hold(tickets=4)
    outcome = in_background(lambda: run_simulation(config, tmp_path / "run", executor=cluster, stop=stop))
    wait_for(lambda: len(processes.playing()) == 2)
    stop.set()
    with pytest.raises(Interrupted, match="--resume"):
        outcome()
    processes.open()
    assert load_run(tmp_path / "run").meta["state"] == "interrupted"
    assert run_simulation(config, tmp_path / "run", resume=True, executor=cluster).tally["games"] == config.run.games


def test_simulate__the_scheduler_killed_and_resumed(tmp_path: Path) -> None:
    config = fake_config(games=64 * 3000)
    doomed = Processes(tmp_path / "doomed", 1)
    try:
        with Cluster(doomed.address, patience=LIMIT) as cluster:
            doomed.hold(tickets=3)
            outcome = in_background(lambda: run_simulation(config, tmp_path / "run", executor=cluster))
            wait_for(lambda: not list(doomed.gate.glob("ticket-*")))
            doomed.scheduler.send_signal(signal.SIGKILL)
            with pytest.raises(Interrupted, match=r"the scheduler of the cluster .* is gone.*--resume") as interrupted:
                outcome()
    finally:
        doomed.close()
    done = load_run(tmp_path / "run").meta["games_done"]
    assert interrupted.value.done == done < config.run.games
    run_simulation(config, tmp_path / "run", resume=True)
    run_simulation(config, tmp_path / "whole")
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_simulate__a_worker_of_another_program_is_refused(tmp_path: Path) -> None:
    mixed = Processes(tmp_path / "mixed", 0)
    mixed.add_worker(digest="0123456789abcdef")
    try:
        with (
            Cluster(mixed.address, patience=LIMIT) as cluster,
            pytest.raises(RunError, match=r"code digest 0123456789abcdef, this process [0-9a-f]{16}"),
        ):
            simulate_tally(fake_config(), executor=cluster)
    finally:
        mixed.close()


def test_rows__a_folder_that_workers_do_not_see(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numbluff_sim.run.cluster.probe", _elsewhere)
    with pytest.raises(RunError, match="do not share the folder"):
        run_simulation(fake_config(rows="games"), tmp_path / "run", executor=cluster)


def _elsewhere(folder: str, token: str) -> str:
    from numbluff_sim.run.remote import probe

    return probe(f"{folder}-on-another-disk", token)


@pytest.mark.parametrize("address", ["local", "local:0", "host:8786", "tcp://"])
def test_address__that_is_none(address: str) -> None:
    with pytest.raises(ConfigError, match=r"expected the address of a Dask scheduler.*local:4"):
        Cluster(address)


def test_tally__of_a_real_game(cluster: Cluster) -> None:
    config = load(overrides={"run.games": 50_000})
    tally = simulate_tally(config, executor=cluster)
    assert all((tally[name] == values).all() for name, values in simulate_tally(config).items())


@pytest.mark.thorough
def test_comparison__same_file_as_threads(cluster: Cluster, tmp_path: Path) -> None:
    base, other = (load(overrides={"run.games": 20_000, "rules.wild_adjusts": answer}) for answer in ("hidden", "both"))
    for name, how in (("threads", How()), ("cluster", How(executor=cluster))):
        compare(base, "base", [variant(base, other)], tmp_path / name, **how)
    first, second = ((tmp_path / name / "comparison.json").read_bytes() for name in ("threads", "cluster"))
    assert first == second


def test_sweep__same_tables_as_threads(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "sweep.toml"
    asked = 'base = "documented"\n[sweep]\ngames = 6400\n[axes]\n"deck.rainbow.reach" = [1, 2]\n'
    file.write_text(asked, encoding="utf-8")
    played = [
        run_sweep(read_sweep(file), tmp_path / name, **how).played
        for name, how in (("threads", How()), ("cluster", How(executor=cluster)))
    ]
    assert played == [3 * 6400, 3 * 6400]  # the base and two points
    for table in ("sweep.parquet", "points.parquet"):
        assert (tmp_path / "threads" / table).read_bytes() == (tmp_path / "cluster" / table).read_bytes()


@pytest.mark.thorough
def test_calibration__same_results_as_threads(cluster: Cluster, tmp_path: Path) -> None:
    origin = Origin(None, "documented", {"run.games": 8_000})
    base = origin.load()
    ways = personas(origin, base, ["documented"])
    task = Task(Space.of(base, ["wild_adjusts"]), ways, read_rates(None, base), 8_000, 2048, 0.05)
    found = [
        calibrate(task, tmp_path / name, **how).to_json()
        for name, how in (("threads", How()), ("cluster", How(executor=cluster)))
    ]
    assert json.dumps(found[0]) == json.dumps(found[1])
