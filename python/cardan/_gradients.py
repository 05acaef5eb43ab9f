"""Runs with derivatives by numbers of the mechanism: docs/theory/gradients.md."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

Maker = Union[str, os.PathLike, Callable[[dict], Any]]
Result = Callable[[np.ndarray], "tuple[float, np.ndarray]"]


class GradientRun:
    """A run with the derivatives of every sample. Arrays share memory with the result."""

    def __init__(self, recording: _core.GradientRecording, parameters: Sequence[str], summary: str):
        self._recording = recording
        self.parameters = list(parameters)
        self.summary: dict = json.loads(summary)

    @property
    def columns(self) -> list:
        """The time and the signals."""
        return self._recording.columns

    @property
    def table(self) -> np.ndarray:
        """All samples: a row each, columns as in `columns`."""
        return self._recording.table

    @property
    def slopes(self) -> np.ndarray:
        """Derivatives: samples x parameters x columns."""
        return self._recording.slopes

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, s."""
        return self["t"]

    def __getitem__(self, column: str) -> np.ndarray:
        """The samples of a column."""
        return self.table[:, self._find(column)]

    def slope(self, column: str, parameter: str) -> np.ndarray:
        """How every sample of a column changes with a parameter."""
        if parameter not in self.parameters:
            raise KeyError(f"'{parameter}' is not among the parameters: {', '.join(self.parameters)}")
        return self.slopes[:, self.parameters.index(parameter), self._find(column)]

    def __repr__(self) -> str:
        return f"<GradientRun of '{self.summary['model']}': {self.summary['status']}, {len(self.table)} samples, by {', '.join(self.parameters)}>"

    def _find(self, column: str) -> int:
        if column in self.columns:
            return self.columns.index(column)
        raise KeyError(_core.unknown_column(column, self.columns))


class AdjointRun:
    """What a run comes to (`values`) and how that changes: `gradient`, results x parameters."""

    def __init__(self, values: np.ndarray, gradient: np.ndarray, parameters: Sequence[str], summary: str):
        self.values, self.gradient = values, gradient
        self.parameters = list(parameters)
        self.summary: dict = json.loads(summary)

    def __repr__(self) -> str:
        return f"<AdjointRun of '{self.summary['model']}': {self.summary['status']}, {len(self.values)} results by {len(self.parameters)} parameters>"


def _request(model: Maker, parameters: Mapping[str, float], scales: Optional[Mapping[str, float]]) -> tuple:
    names, scales = list(parameters), dict(scales or {})
    for name in scales:
        if name not in parameters:
            raise KeyError(f"'{name}' has a scale, but is not among the parameters: {', '.join(names)}")
    if callable(model):
        make = model
    else:
        path = os.fspath(model)
        make = lambda values: _core.read_mechanism(path, values)  # noqa: E731
    return (
        lambda values: make(dict(zip(names, values))),
        [(name, float(value), float(scales.get(name, 0))) for name, value in parameters.items()],
    )


def run_with_gradients(
    model: Maker, parameters: Mapping[str, float], signals: Sequence[str], *, scales: Optional[Mapping[str, float]] = None,
    alternate: bool = False, **options: Unpack[Options],
) -> GradientRun:  # fmt: skip
    """A run and how every sample of the signals changes with the parameters, exact to the discrete scheme.

    `model` is the path of a file with these parameters, or a function that makes a model of a dict of their values. `scales`
    says of a parameter what a change that matters is like (default: its value). With `alternate` it is a quarter cheaper and exact to
    about 1e-5. What cannot be differentiated raises ValueError with its name; options are those of run().
    """
    make, listed = _request(model, parameters, scales)
    recording, summary = _core.run_gradients(make, listed, list(signals), dict(options), alternate)
    return GradientRun(recording, list(parameters), summary)


def run_with_adjoint(
    model: Maker, parameters: Mapping[str, float], signals: Sequence[str], results: Sequence[Result], *,
    scales: Optional[Mapping[str, float]] = None, **options: Unpack[Options],
) -> AdjointRun:  # fmt: skip
    """A run and the gradients of a few numbers that it comes to, at a cost that does not depend on how many parameters there are.

    Each of `results` is a function of the table of samples (columns: the time and the signals) that answers with a number
    and its derivatives by that table, an array of the same shape. What cannot be gone through backwards raises ValueError
    with its name, as adjoint_refusal() says it.
    """
    make, listed = _request(model, parameters, scales)
    values, gradient, summary = _core.run_adjoint(make, listed, list(signals), list(results), dict(options))
    return AdjointRun(values, gradient, list(parameters), summary)
