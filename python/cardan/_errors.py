"""What goes wrong."""

from . import _core


class Error(Exception):
    """Of every exception of this package."""


class ModelError(Error, ValueError):
    """A model that cannot be: the text has everything that was found, `diagnostics` each of them by itself."""

    diagnostics: list = []


class StepError(Error, RuntimeError):
    """A step that could not be taken; the state is that before it. `status`: in a word or two, 'not converged'."""

    status: str = ""


_core._set_model_error(ModelError)
_core._set_step_error(StepError)
