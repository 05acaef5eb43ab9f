"""Runs: from start to end, with the samples in memory."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, Sequence, Union

import numpy as np

from . import _core

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


class Run:
    """A run that has ended: its samples, the history of its steps, and its summary.

    Arrays share memory with the result; nothing is copied.
    """

    def __init__(self, result: _core.RunResult):
        self._result = result
        self.summary: dict = json.loads(result.summary)
        self._index = {name: i for i, name in enumerate(result.samples.columns)}
        self._folder: Optional[tempfile.TemporaryDirectory] = None

    @property
    def mechanism(self) -> _core.Mechanism:
        """What ran."""
        return self._result.mechanism

    @property
    def columns(self) -> list:
        """Names of the columns, as in trajectory.csv."""
        return self._result.samples.columns

    @property
    def table(self) -> np.ndarray:
        """All samples: a row each, columns as in `columns`."""
        return self._result.samples.table

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, s."""
        return self["t"]

    @property
    def units(self) -> dict:
        """The unit of every column; empty for numbers without one."""
        known = self.mechanism.units
        return {name: known.get(name, "") for name in self.columns}

    @property
    def steps(self) -> dict:
        """The history of the steps, the columns of steps.csv."""
        steps = self._result.steps
        return {name: steps.table[:, i] for i, name in enumerate(steps.columns)}

    @property
    def status(self) -> str:
        """'ok', 'failed' or 'interrupted'."""
        return self.summary["status"]

    @property
    def ok(self) -> bool:
        """Whether it came to its end."""
        return self.status == "ok"

    @property
    def reason(self) -> str:
        """Why it failed, or where it was interrupted."""
        return self.summary["reason"]

    @property
    def warnings(self) -> list:
        """What is doubtful about the result."""
        return self.summary["warnings"]

    def __getitem__(self, column: str) -> np.ndarray:
        """The samples of a column."""
        return self.table[:, self._find(column)]

    def __contains__(self, column: object) -> bool:
        return column in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        """How many samples there are."""
        return len(self.table)

    def __repr__(self) -> str:
        return f"<Run of '{self.summary['model']}': {self.status}, {len(self)} samples to t = {self.summary['duration']:g} s>"

    def _find(self, column: str) -> int:
        if isinstance(column, str) and column in self._index:
            return self._index[column]
        if not isinstance(column, str):
            raise TypeError(f"a run gives one column by its name, as run['pin.q'], not {column!r}; frame() gives several")
        raise KeyError(_core.unknown_column(column, self.columns))

    def like(self, pattern: str) -> list:
        """The columns that match, `*` standing for anything."""
        found = _core.columns_like(self.columns, pattern)
        if not found:
            raise KeyError(_core.unknown_column(pattern, self.columns))
        return found

    def frame(self) -> Any:
        """The samples as a pandas.DataFrame with the time as its index; needs pandas. Its columns share memory."""
        import pandas  # type: ignore

        names = [name for name in self.columns if name != "t"]
        return pandas.DataFrame(self.table[:, 1:], columns=names, index=pandas.Index(self.t, name="t"), copy=False)

    def plot(self, *columns: str, axes: Any = None) -> list:
        """Draws columns over time with matplotlib, one picture for each unit; needs matplotlib.

        Without columns, what the model asks for under `plots:`, else the coordinates of its joints. Answers with the axes.
        """
        from ._plot import plot

        return plot(self, columns, axes)

    def save(self, folder: Union[str, os.PathLike], overwrite: bool = False, format: str = "csv") -> None:
        """Writes the files that `cardan run` writes. `format`: 'csv', 'h5' or 'csv,h5'."""
        self._result.save(os.fspath(folder), overwrite, format)

    def view(self, folder: Union[str, os.PathLike, None] = None, wait: bool = False, arguments: Sequence[str] = ()) -> subprocess.Popen:
        """Shows the motion in the browser: saves the run and starts `cardan view`. Answers with the process.

        `wait`: until it ends. The program is that of the environment variable CARDAN_PROGRAM, or `cardan` in PATH.
        """
        if folder is None:
            self._folder = self._folder or tempfile.TemporaryDirectory(prefix="cardan-")
            folder = self._folder.name
        self.save(folder, overwrite=True)
        process = subprocess.Popen([program(), "view", os.fspath(folder), *arguments])
        if wait:
            process.wait()
        return process


class FailedRun:
    """A run of run_many() that could not be started, with what was raised."""

    ok = False
    status = "failed"

    def __init__(self, error: BaseException):
        self.error = error
        self.reason = str(error)

    def __repr__(self) -> str:
        return f"<FailedRun: {self.reason}>"


def program() -> str:
    """The program `cardan`."""
    path = os.environ.get("CARDAN_PROGRAM") or shutil.which("cardan")
    if not path:
        raise FileNotFoundError("the program 'cardan' is not in PATH; put it there, or set CARDAN_PROGRAM to its path")
    return path


def _run(model: Any, options: dict, stop: _core.StopFlag) -> Run:
    options = dict(options)
    progress = options.pop("progress", None)
    controller = options.pop("controller", None)
    estimate_error = options.pop("estimate_error", False)
    result = _core.run_model(model, options, progress, controller, estimate_error, stop)
    if result.interrupted:
        interrupt = KeyboardInterrupt()
        interrupt.run = Run(result)  # type: ignore[attr-defined]
        raise interrupt
    return Run(result)


def run(
    model: Any,
    *,
    progress: Optional[Callable[[float], object]] = None,
    controller: Optional[Callable[[_core.Simulation], object]] = None,
    estimate_error: bool = False,
    **options: Unpack[Options],
) -> Run:
    return _run(
        model, dict(options, progress=progress, controller=controller, estimate_error=estimate_error), _core.StopFlag()
    )


def _describe_options() -> None:
    """Writes the options of the library into the signature and the text of run()."""
    lines = [
        "Runs a model from start to end.",
        "",
        "`model`: a Mechanism, a MechanismBuilder, a path or a dict. A failed motion is no exception: it is in `status` and `reason`.",
        "Ctrl-C ends the run with KeyboardInterrupt, whose `run` is what was reached.",
        "",
        "progress: called now and then with the time reached, s.",
        "controller: called before every step with the Simulation, to read signals and set inputs.",
        "estimate_error: by another run with twice the step or a looser tolerance, for half the cost; not with a controller.",
    ]
    signature = inspect.signature(run)
    parameters = [p for p in signature.parameters.values() if p.kind != inspect.Parameter.VAR_KEYWORD]
    for name, kind, meaning, choices in _core.option_list():
        lines.append(f"{name}: {kind}, {meaning}" + (f": {', '.join(choices)}" if choices else ""))
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=f"Optional[{kind}]"))
    run.__doc__ = "\n".join(lines)
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]


_describe_options()


def run_many(
    tasks: Iterable[Union[Any, tuple]],
    threads: Optional[int] = None,
    progress: Optional[Callable[[int], object]] = None,
) -> list:
    """Runs many models at once, on so many threads (without: as many as there are processors).

    Each task is a model, or (model, options) with a dict of the keywords of run(). Results come in the order of the tasks:
    a Run each, or a FailedRun with the error of a task that could not be started. `progress` is called with the number of
    those that are done. Ctrl-C ends them all.
    """
    tasks = [task if isinstance(task, tuple) else (task, {}) for task in tasks]
    stop = _core.StopFlag()
    done = 0

    def one(task: tuple) -> Union[Run, FailedRun]:
        try:
            return _run(task[0], task[1], stop)
        except Exception as error:
            return FailedRun(error)

    with ThreadPoolExecutor(max_workers=threads or os.cpu_count()) as pool:
        futures = [pool.submit(one, task) for task in tasks]
        try:
            results = []
            for future in futures:
                results.append(future.result())
                done += 1
                if progress is not None:
                    progress(done)
            return results
        except BaseException:
            for future in futures:
                future.cancel()
            stop.set()
            raise
