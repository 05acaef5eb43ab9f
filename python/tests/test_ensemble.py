"""Ensembles from Python: equal to single simulations."""

import os

import numpy
import pytest

import cardan

MODELS = os.path.join(os.path.dirname(__file__), "..", "..", "models")


def four_bars(lengths):
    return [cardan.read_mechanism(os.path.join(MODELS, "four_bar.yaml"), {"L": L}) for L in lengths]


def test_equals_simulations():
    models = four_bars([0.8, 0.9, 1.0, 1.1, 1.2])
    ensemble = cardan.Ensemble(models, formulation="hybrid", step=0.01)
    assert len(ensemble) == 5
    ensemble.steps(50)
    rows = ensemble.sample()
    column = ensemble.columns.index("pinA0.q")
    for i, model in enumerate(models):
        single = cardan.Simulation(model, formulation="hybrid", step=0.01)
        single.steps(50)
        assert ensemble.ok(i)
        assert ensemble.time(i) == single.time
        assert rows[i, column] == pytest.approx(single["pinA0.q"], rel=1e-10)
        numpy.testing.assert_allclose(ensemble.state(i).v, single.state().v, rtol=1e-10)


def test_refusals_have_names():
    model = four_bars([1.0])[0]
    assert cardan.Ensemble.refusal(model, formulation="hybrid") == ""
    assert "global" in cardan.Ensemble.refusal(model, formulation="global")
    assert cardan.Ensemble.instructions() in ("avx2", "plain")
