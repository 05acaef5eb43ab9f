"""Pictures of runs with matplotlib."""

from __future__ import annotations

import re
from typing import Any, Sequence

COORDINATE = re.compile(r".*\.q\d*$")


def chosen_columns(run: Any, columns: Sequence[str]) -> list:
    """(title, columns) of every picture."""
    if columns:
        return [("", [name for wish in columns for name in run.like(wish)])]
    if run.mechanism.plots:
        return run.mechanism.plots
    joints = {joint.name for joint in run.mechanism.joints}
    own = [name for name in run.columns if COORDINATE.match(name) and name.rpartition(".")[0] in joints]
    return [("", own or [name for name in run.columns if name != "t"])]


def by_unit(run: Any, columns: Sequence[str]) -> dict:
    """Columns of the same unit share a picture."""
    units = run.units
    groups: dict = {}
    for name in columns:
        groups.setdefault(units[name], []).append(name)
    return groups


def plot(run: Any, columns: Sequence[str], axes: Any) -> list:
    """See Run.plot()."""
    import matplotlib.pyplot as plt  # type: ignore

    pictures = [
        (title, unit, names) for title, own in chosen_columns(run, columns) for unit, names in by_unit(run, own).items()
    ]
    if axes is None:
        _, made = plt.subplots(len(pictures), 1, sharex=True, squeeze=False, figsize=(7, 1.2 + 2.2 * len(pictures)))
        axes = list(made[:, 0])
    elif not isinstance(axes, (list, tuple)):
        axes = [axes]
    if len(axes) != len(pictures):
        raise ValueError(f"{len(pictures)} axes are needed, one for each unit, but {len(axes)} are given")
    for ax, (title, unit, names) in zip(axes, pictures):
        for name in names:
            ax.plot(run.t, run[name], label=name)
        ax.set_ylabel(unit or "1")
        ax.set_title(title)
        ax.grid(True, alpha=0.3)
        ax.legend(loc="best")
    axes[-1].set_xlabel("t, s")
    return list(axes)
