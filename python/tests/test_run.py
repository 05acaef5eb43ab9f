"""Whole runs: arrays, summary, files, options, progress, interruption, many at once."""

import csv
import inspect
import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import cardan

MODELS = Path(__file__).resolve().parents[2] / "models"
FOUR_BAR = MODELS / "four_bar.yaml"


def arm(length=1.0, **more):
    return {
        "name": "arm",
        "planar": True,
        "bodies": {"arm": {"rod": [[0, 0], [length, 0]], "mass": 2}},
        "joints": {"pin": {"revolute": ["ground", "arm"], "at": [0, 0]}},
        "simulation": {"until": 1, "step": 0.001},
        **more,
    }


def test_arrays_share_memory_with_the_result():
    run = cardan.run(arm())
    address = run.table.__array_interface__["data"][0]
    for column in run.columns:
        assert np.shares_memory(run[column], run.table)
    assert run.t.__array_interface__["data"][0] == address
    assert not run.table.flags.owndata
    assert type(run.table.base).__name__ == "Recording"
    run["arm.x"][3] = 42
    assert run.table[3, run.columns.index("arm.x")] == 42
    kept = run["arm.y"]
    del run
    assert np.isfinite(kept).all()  # the table lives as long as its views


def test_frame_shares_memory():
    pytest.importorskip("pandas")
    run = cardan.run(arm())
    frame = run.frame()
    assert list(frame.columns) == run.columns[1:]
    assert np.shares_memory(frame["arm.x"].to_numpy(), run.table)


@pytest.mark.parametrize("model", ["four_bar.yaml", "iltis.yaml"])
def test_files_are_those_of_the_program(model, tmp_path):
    options = {"until": 0.2, "step": 0.002}
    program = [cardan.program(), "run", str(MODELS / model), "--out", str(tmp_path / "program"), "--no-error-estimate"]
    for name, value in options.items():
        program += [f"--{name}", str(value)]
    subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
    run = cardan.run(MODELS / model, **options)
    run.save(tmp_path / "python")
    for name in ("trajectory.csv", "steps.csv", "scene.json"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "program" / name).read_bytes()
    written = json.loads((tmp_path / "program" / "summary.json").read_text())
    assert list(run.summary) == list(written)
    assert json.loads((tmp_path / "python" / "summary.json").read_text()) == run.summary
    of_time = {"cpu_seconds", "real_time_factor", "allocations"}
    assert {k: v for k, v in run.summary.items() if k not in of_time} == {k: v for k, v in written.items() if k not in of_time}


def test_saving_refuses_results_of_others(tmp_path):
    cardan.run(arm(), until=0.01).save(tmp_path)
    with pytest.raises(ValueError, match="holds results of the model 'arm'"):
        cardan.run(FOUR_BAR, until=0.01).save(tmp_path)
    cardan.run(FOUR_BAR, until=0.01).save(tmp_path, overwrite=True)


def test_h5_has_the_bits_of_csv(tmp_path):
    h5py = pytest.importorskip("h5py")
    run = cardan.run(FOUR_BAR, until=0.1)
    run.save(tmp_path, format="csv,h5")
    with h5py.File(tmp_path / "trajectory.h5") as file, open(tmp_path / "trajectory.csv") as text:
        rows = list(csv.reader(text))
        assert list(file.attrs["columns"]) == rows[0] == run.columns and set(file) == set(run.columns)
        assert file.attrs["model"] == run.mechanism.name
        for i, name in enumerate(rows[0]):
            assert file[name].attrs["units"] == run.units[name]
            assert file[name][:].tobytes() == np.array([float(row[i]) for row in rows[1:]]).tobytes()
            assert file[name][:].tobytes() == run[name].tobytes()


def test_options_are_those_of_the_list():
    parameters = inspect.signature(cardan.run).parameters
    for name, kind, meaning, choices in cardan.option_list():
        assert name in parameters and meaning in cardan.run.__doc__
        wrong = {"str": 3, "bool": "yes", "int": "three", "float": "much", "list[str]": 3}[kind]
        with pytest.raises((TypeError, RuntimeError)):
            cardan.run(arm(), **{name: wrong})
        if choices:
            with pytest.raises(ValueError, match="did you mean|Known|known"):
                cardan.run(arm(), **{name: "nonsense"})
    with pytest.raises(TypeError, match="no option is called 'untill'; did you mean 'until'?"):
        cardan.run(arm(), untill=3)


def test_options_go_where_the_command_line_puts_them():
    run = cardan.run(arm(), formulation="global", integrator="newmark", step=0.01, until=0.5, dissipation=0.2, every=5, cut=None)
    assert run.summary["formulation"]["used"] == "global"
    assert run.summary["integrator"]["used"] == "newmark"
    assert run.summary["steps"] == 50 and len(run) == 11
    with pytest.raises(ValueError, match="dissipation"):
        cardan.run(arm(), integrator="rk4", dissipation=0.2)


def test_a_failed_motion_is_in_the_result():
    table = {"pull": {"actuator": "pin", "effort": {"table": [[0, 0], [0.1, 1]], "beyond": "error"}}}
    run = cardan.run(arm(loads=table))
    assert not run.ok and run.status == "failed" and "0.1" in run.reason
    assert 0.09 < run.t[-1] < 0.11


def test_progress_and_its_errors():
    seen = []
    cardan.run(arm(), step=1e-5, progress=seen.append)
    assert seen == sorted(seen) and (not seen or 0 < seen[0] < 1)

    def stop(t):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        cardan.run(arm(), step=1e-6, until=100, progress=stop)


def test_ctrl_c_ends_a_run():
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as caught:
        cardan.run(arm(), step=1e-6, until=1000, every=1000)
    run = caught.value.run
    assert run.status == "interrupted" and 0 < run.t[-1] < 1000


def many_steps_of_an_ensemble():
    ensemble = cardan.Ensemble([arm(1.0 + 0.1 * i) for i in range(4)], formulation="hybrid", step=1e-5)
    ensemble.steps(100000)


LONG = {
    "run": lambda: cardan.run(arm(), step=2e-6, every=1000),
    "simulation": lambda: cardan.Simulation(arm(), step=1e-5).steps(200000),
    "ensemble": many_steps_of_an_ensemble,
    "gradients": lambda: cardan.run_with_gradients(lambda p: arm(p["L"], signals={"angle": "pin.q"}), {"L": 1.0}, ["angle"], formulation="hybrid", step=1e-5),
}


@pytest.mark.parametrize("what", LONG)
def test_the_lock_is_released_while_stepping(what):
    counted = 0
    done = threading.Event()

    def long_run():
        try:
            LONG[what]()
        finally:
            done.set()

    thread = threading.Thread(target=long_run)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 5  # this thread went on meanwhile


def test_many_runs_come_in_order_and_failures_with_their_reason():
    lengths = [0.5 + 0.1 * i for i in range(8)]
    tasks = [(arm(length), {"until": 0.2}) for length in lengths]
    tasks[3] = (arm(-1.0), {})
    tasks[5] = (arm(), {"step": -1})
    done = []
    results = cardan.run_many(tasks, threads=4, progress=done.append)
    assert done == list(range(1, 9))
    for i, (task, result) in enumerate(zip(tasks, results)):
        if i == 5:
            assert isinstance(result, cardan.FailedRun) and "step is -1" in result.reason and isinstance(result.error, ValueError)
        else:
            alone = cardan.run(task[0], **task[1])
            assert result.table.tobytes() == alone.table.tobytes()


def test_unknown_columns_are_told_with_the_nearest():
    run = cardan.run(arm(), until=0.01)
    with pytest.raises(KeyError, match="did you mean 'arm.angle'"):
        run["arm.angel"]
    assert "arm.angle" in run and "arm.angel" not in run
    assert run.like("pin.f*") == [name for name in run.columns if name.startswith("pin.f")]
    for what in (0, ["arm.x"], slice(None)):
        with pytest.raises(TypeError, match="one column by its name"):
            run[what]


def test_plots_have_units_and_legends():
    pytest.importorskip("matplotlib")
    run = cardan.run(FOUR_BAR, until=0.1)
    axes = run.plot("*.vx", "*.q")
    assert sorted(a.get_ylabel() for a in axes) == ["m/s", "rad"]
    assert axes[-1].get_xlabel() == "t, s"
    for a in axes:
        assert a.get_legend() is not None
        for line in a.get_lines():
            assert np.array_equal(line.get_ydata(), run[line.get_label()])
    with pytest.raises(ValueError, match="2 axes are needed"):
        run.plot("*.vx", "*.q", axes=axes[0])
    assert run.plot()


def test_view_starts_the_program(tmp_path):
    run = cardan.run(arm(), until=0.1)
    process = run.view(tmp_path / "shown", arguments=["--no-browser", "--seconds", "0.2"])
    assert process.wait(60) == 0
    assert (tmp_path / "shown" / "trajectory.csv").exists()
