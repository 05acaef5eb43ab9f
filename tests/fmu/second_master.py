"""A second master of FMI 2.0 and 3.0, beside the one in C: exported models in Python, by ctypes.

    CARDAN_PROGRAM=build/release/bin/cardan python3 second_master.py

Nothing but Python's standard library; what an FMU must do is from the standard. Descriptions are held against description_rules.
"""

import csv
import locale
import math
import os
import random
import struct
import subprocess
import tempfile
import threading
import unittest
import urllib.parse
from pathlib import Path

from description_rules import complaints
from fmi_objects import DISCARD, ERROR, OK, Fmu

PROGRAM = os.environ["CARDAN_PROGRAM"]
MODELS = Path(__file__).resolve().parents[2] / "models"
# Steps of one run, and how many.
RUNS = {"double_four_bar": (0.01, 60), "iltis": (0.01, 40), "iltis_driven": (0.002, 40), "excavator": (0.005, 40), "excavator_driven": (0.005, 40)}

ENDING = """cardan: 1
name: "a <very> 'special' & \\u00e9nding"
planar: true
parameters: {m: {value: 2, unit: kg}, twice: 2*m, t0: 0.155}
bodies: {arm: {rod: [[0, 0], [1, 0]], mass: m}}
joints: {pin: {revolute: [ground, arm], at: [0, 0]}}
inputs: {push: {start: 1, min: -2, max: 2, unit: N m}, held: {start: 0.5, unit: furlong}}
loads: {motor: {actuator: pin, effort: push}}
events: {off: {at: 0.053, off: motor}, done: {when: t > t0, end: true}}
outputs: [pin.q, push, pin.a, motor.effort]
simulation: {until: 1, step: 0.01, INTEGRATOR}
"""


def shell(*words):
    answer = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def bits(values):
    return struct.pack(f"{len(values)}d", *values)


class Exported(unittest.TestCase):
    place = tempfile.TemporaryDirectory(prefix="an fmu & 100% \u00e9 ")  # as no address may be written
    folder = Path(place.name)
    made = {}

    def export(self, model, version, *options):
        key = (model, version, options)
        if key not in self.made:
            archive = self.folder / f"{len(self.made)}.fmu"
            shell("export", "fmu", model, "--fmi", version, "-o", archive, *options)
            self.made[key] = Fmu(archive, self.folder / archive.stem)
        return self.made[key]

    def versions(self, model, *options):
        for version in (2, 3):
            with self.subTest(model=Path(model).stem, version=version):
                yield self.export(model, version, *options)

    def ending(self, integrator="integrator: trapezoidal"):
        path = self.folder / f"ending_{integrator.split()[-1]}.yaml"
        path.write_text(ENDING.replace("INTEGRATOR", integrator), encoding="utf-8")
        return path


def inputs_at(fmu, k):
    """Something within the bounds of every input."""
    values = {}
    for i, variable in enumerate(v for v in fmu.variables if v.get("causality") == "input"):
        numbers = variable.find("Real") if fmu.version == 2 else variable
        low, high = float(numbers.get("min", "-1")), float(numbers.get("max", "1"))
        values[int(variable.get("valueReference"))] = min(high, max(low, 0.3 * math.sin(0.2 * k + i)))
    return values


def advance(fmu, instance, first, last, h):
    """Outputs after each of the steps."""
    outputs, rows = list(fmu.references("output").values()), []
    for k in range(first, last):
        assert not inputs_at(fmu, k) or instance.set(inputs_at(fmu, k)) == OK
        status, reached, ended = instance.step(k * h, h)
        assert status == OK and not ended and abs(reached - (k + 1) * h) < 1e-9, (status, reached, instance.log)
        rows.append(bits(instance.get(outputs)))
    return rows


class Runs(Exported):
    def test_same_bits_as_the_program(self):
        for model, (h, steps) in RUNS.items():
            for fmu in self.versions(MODELS / f"{model}.yaml", "--step", h):
                table = self.folder / "inputs.csv"
                given = fmu.references("input")
                with open(table, "w", newline="") as file:
                    rows = csv.writer(file)
                    rows.writerow(["t", *given])
                    rows.writerows([repr(k * h), *map(repr, inputs_at(fmu, k).values())] for k in range(steps))
                out = self.folder / "out"
                shell(
                    "run", MODELS / f"{model}.yaml", "--step", h, "--until", repr(steps * h), "--out", out, "--overwrite",
                    *(["--input", table] if given else []),
                )
                with open(out / "trajectory.csv", newline="") as file:
                    expected = [bits([float(row[name]) for name in fmu.references("output")]) for row in csv.DictReader(file)]
                instance = fmu().start(steps * h)
                found = advance(fmu, instance, 0, steps, h)
                self.assertEqual(found, expected[1:])
                self.assertNotEqual(found[0], found[-1])
                instance.good("Terminate")
                instance.free()

    def test_states_go_back_and_over_to_others(self):
        for model, (h, steps) in RUNS.items():
            for fmu in self.versions(MODELS / f"{model}.yaml", "--step", h):
                half, one = steps // 2, fmu().start(steps * h)
                advance(fmu, one, 0, half, h)
                saved = one.state()
                expected = advance(fmu, one, half, steps, h)
                self.assertEqual(one.restore(saved), OK)
                self.assertEqual(advance(fmu, one, half, steps, h), expected)
                written = one.bytes_of(saved)
                other = fmu("other")
                status, taken = other.state_from(written)
                self.assertEqual((status, other.restore(taken)), (OK, OK))
                self.assertEqual(advance(fmu, other, half, steps, h), expected)
                self.assertEqual(other.bytes_of(taken), written)
                for instance, state in ((one, saved), (other, taken)):
                    self.assertEqual((instance.free_state(state), state.value), (OK, None))
                    self.assertEqual(instance.free_state(state), OK)  # of nothing
                    instance.free()

    def test_two_at_once_in_two_threads(self):
        for model in ("iltis_driven", "excavator"):
            h, steps = RUNS[model]
            for fmu in self.versions(MODELS / f"{model}.yaml", "--step", h):
                alone = advance(fmu, fmu().start(), 0, steps, h)
                found = {}
                def run(name):
                    found[name] = advance(fmu, fmu(name).start(), 0, steps, h)
                threads = [threading.Thread(target=run, args=(name,)) for name in ("a", "b")]
                [thread.start() for thread in threads]
                [thread.join() for thread in threads]
                self.assertEqual(found, {"a": alone, "b": alone})


class Descriptions(Exported):
    def test_of_many_models(self):
        models = [MODELS / f"{m}.yaml" for m in [*RUNS, "four_bar", "puma_driven", "steered_axle", "forklift", "stewart_platform"]]
        for model in [*models, self.ending(), self.ending("integrator: dopri5")]:
            for fmu in self.versions(model):
                self.assertEqual(complaints(fmu.xml), [])
                self.assertLessEqual({"modelDescription.xml", fmu.binary}, set(fmu.names))
                for name in fmu.names:
                    self.assertRegex(name, r"^(modelDescription\.xml|binaries/[^/]+/[^/]+\.so|resources/.*)$")
                    self.assertNotIn("..", name)
                self.assertEqual("fixedInternalStepSize" in fmu.xml, fmu.version == 3 and "dopri5" not in model.stem)

    def test_rules_see_what_is_wrong(self):
        """Every one of these changes breaks the description."""
        wrong = {
            2: [
                ('variability="tunable"', 'variability="continuous"'), ('causality="parameter"', 'causality="Parameter"'),
                (' guid="', ' token="'), ('initial="exact"', 'initial="calculated"'), ('unit="kg"', 'unit="lb"'),
                ('valueReference="1"', 'valueReference="2"'), ('<Unknown index="4"/>', ""), ('name="push"', 'name="held"'),
                ('min="-2"', 'min="5"'), ("<Real unit=\"N m\"", "<Real units=\"N m\""), ("<LogCategories>", "<LogCategories><Unit/>"),
                ('start="1"', 'start="one"'), ('start="1"/>', "/>"), ('stepSize="0.01"', 'stepSize="0"'),
            ],
            3: [
                ('hasEventMode="false"', 'hasEventMode="no"'),
                ('causality="input" variability="continuous"', 'causality="input" variability="fixed"'),
                ('instantiationToken="', 'guid="'), ('<InitialUnknown valueReference="3"/>', ""),
                ('<Output valueReference="5"', '<Output valueReference="1"'), ('dependencies="1"', 'dependencies="1 1"'),
                ('causality="independent"', 'causality="local"'), ("<DefaultExperiment", "<Default"),
                ('unit="furlong" start="0.5"', 'unit="furlong"'),
            ],
        }
        for fmu in self.versions(self.ending()):
            for old, new in wrong[fmu.version]:
                with self.subTest(old=old, new=new):
                    self.assertIn(old, fmu.xml)
                    self.assertNotEqual(complaints(fmu.xml.replace(old, new, 1)), [])


class Importers(Exported):
    """What importers do that differ from one another."""

    def test_addresses_of_resources(self):
        for fmu in self.versions(self.ending()):
            plain, coded = fmu.resources, urllib.parse.quote(fmu.resources)
            addresses = [plain, plain + "/"]
            if fmu.version == 2:
                addresses += [f"file://{coded}", f"file://{coded}/", f"file:{coded}", f"file://localhost{coded}", f"file:///{coded[1:]}"]
            for address in addresses:
                instance = fmu(address=address)
                self.assertIsNotNone(instance.handle, (address, instance.log))
                instance.free()
            for address in ("file:///nowhere", "", "/", "http://host/resources"):
                instance = fmu(address=address)
                self.assertIsNone(instance.handle)
                self.assertEqual((len(instance.log), instance.log[0][:2]), (1, (ERROR, "logStatusError")))

    def test_tokens_names_and_kinds(self):
        for fmu in self.versions(self.ending()):
            self.assertIsNone(fmu(token="{00000000-0000-0000-0000-000000000000}").handle)
            self.assertIsNone(fmu("").handle)
            if fmu.version == 3:
                self.assertIsNone(fmu(events=True).handle)
            self.assertIsNotNone(fmu("r\u00f6bot/1 %s%n").handle)

    def test_inputs_and_parameters_before_initialization(self):
        for fmu in self.versions(self.ending()):
            push, m, twice = (fmu.references(c)[n] for c, n in (("input", "push"), ("parameter", "m"), ("calculatedParameter", "twice")))
            instance = fmu()
            self.assertEqual(instance.set({push: -1.5, m: 7}), OK)
            self.assertEqual(instance.setup(10), OK)
            self.assertEqual(instance.get([push, m, twice]), [-1.5, 7, 14])
            self.assertEqual(instance.set({m: 3}), OK)
            self.assertEqual(instance.get([twice, push]), [6, -1.5])
            instance.good("ExitInitializationMode")
            self.assertEqual(instance.step(0, 0.01)[0], OK)
            pin = fmu.references("output")["pin.q"]
            other = fmu()
            self.assertEqual(
                (other.set({push: -1.5, m: 3}), other.setup(), other.call("ExitInitializationMode"), other.step(0, 0.01)[0]),
                (OK, OK, OK, OK),
            )
            self.assertEqual(instance.get([pin]), other.get([pin]))

    def test_the_end_of_the_experiment_and_of_the_model(self):
        for fmu in self.versions(self.ending()):
            instance = fmu().start(0.1)
            # 0.1 in tenths, their sum and the end differing by rounding
            t = 0.0
            for _ in range(10):
                self.assertEqual(instance.step(t, 0.01)[0], OK)
                t += 0.01
            self.assertEqual(instance.step(t, 0.01)[0], ERROR)
            self.assertIn("beyond the end", instance.log[-1][2])
            instance.free()
            self.assertEqual(fmu().setup(start=3.0), ERROR)
            self.assertEqual(fmu().setup(stop=-1), ERROR)
            # the model ends by itself in the middle of a long step
            instance = fmu().start(10)
            status, reached, ended = instance.step(0, 1)
            self.assertTrue(ended and abs(reached - 0.155) < 1e-6, (status, reached))
            self.assertEqual(status, DISCARD if fmu.version == 2 else OK)
            self.assertAlmostEqual(instance.get([0])[0], reached, 12)
            instance.good("Terminate")
            instance.free()

    def test_numbers_in_other_locales(self):
        """Hosts that write 2,5 read the model all the same."""
        for fmu in self.versions(self.ending(), "--set", "m=2.5"):
            def masses():
                instance = fmu()
                self.assertEqual(instance.setup(), OK)
                values = instance.get(list(fmu.references("parameter").values()))
                instance.free()
                return values
            plain = masses()
            self.assertIn(2.5, plain)
            before = locale.setlocale(locale.LC_ALL)
            made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", self.folder / "de_DE.UTF-8"], capture_output=True)
            if made.returncode != 0:
                self.skipTest("localedef knows no other locale here")
            os.environ["LOCPATH"] = str(self.folder)
            try:
                locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
                self.assertEqual(locale.localeconv()["decimal_point"], ",")
                self.assertEqual(masses(), plain)
            finally:
                del os.environ["LOCPATH"]
                locale.setlocale(locale.LC_ALL, before)

    def test_log(self):
        for fmu in self.versions(self.ending()):
            counts = []
            for ask in (
                lambda i: i.debug(True), lambda i: i.debug(True, "logEvents"), lambda i: i.debug(True, "logStatusError"),
                lambda i: i.debug(False), lambda i: OK,
            ):
                instance = fmu()
                self.assertEqual(ask(instance), OK)
                instance.start().step(0, 1)
                counts.append(len([line for line in instance.log if line[1] == "logEvents"]))
                self.assertEqual(len(instance.log), counts[-1])
                instance.free()
            self.assertTrue(counts[0] > 0 and counts == [counts[0], counts[0], 0, 0, 0], counts)
            instance = fmu(logging=True).start()
            instance.step(0, 1)
            self.assertEqual(len(instance.log), counts[0])

    def test_early_return_is_asked_for(self):
        fmu = self.export(self.ending(), 3)
        for early, reached in ((False, 0.1), (True, 0.053)):
            instance = fmu(early=early).start()
            self.assertEqual(instance.step(0, 0.1), (OK, reached, False))
            self.assertEqual(instance.step(reached, 0.14 - reached)[:2], (OK, 0.14))


class Damage(Exported):
    """Calls and bytes that no importer should hand over: errors, and an instance that can be reset."""

    def test_saved_states_with_other_bytes(self):
        draw = random.Random(7)
        for fmu in self.versions(self.ending()):
            one = fmu().start()
            one.step(0, 0.02)
            whole = one.bytes_of(one.state())
            answers = {OK: 0, ERROR: 0}
            for trial in range(400):
                damaged = bytearray(whole)
                for _ in range(draw.choice((1, 1, 2, 8))):
                    damaged[draw.randrange(min(len(whole), draw.choice((16, 80, len(whole)))))] = draw.randrange(256)
                if trial % 5 == 0:
                    damaged = damaged[: draw.randrange(len(damaged))]
                if trial % 17 == 0:
                    damaged += bytes(draw.randrange(1, 100))
                status, state = one.state_from(bytes(damaged))
                if status == OK:
                    status = one.restore(state)
                answers[status] += 1
                if status == OK:
                    one.call("GetReal" if fmu.version == 2 else "GetFloat64", None, 0, None, *one.again(0))
                    one.step(0.02, 0.01)
                one.good("Reset")
            self.assertGreater(answers[ERROR], 100)
            one.start()
            self.assertEqual(one.step(0, 0.01)[0], OK)
            one.free()

    def test_any_order_of_calls(self):
        """At random; whatever was answered, a reset instance runs."""
        draw = random.Random(11)
        for fmu in self.versions(self.ending()):
            push, one, refused = fmu.references("input")["push"], fmu(), 0
            calls = [
                lambda: one.call("ExitInitializationMode"), lambda: one.call("Terminate"), lambda: one.setup(1), lambda: one.setup(),
                lambda: one.step(draw.choice((0, 0.01, 0.02, -1, math.nan)), draw.choice((0.01, 0, -1, math.inf, math.nan)))[0],
                lambda: one.set({push: draw.choice((0, 1, 99, math.nan, math.inf))}), lambda: one.set({draw.randrange(2**32): 1.0}),
                lambda: one.restore(None), lambda: one.debug(draw.random() < 0.5, "nothing"), lambda: one.call("Reset"),
                lambda: one.call("CancelStep" if fmu.version == 2 else "EnterEventMode"),
            ]  # fmt: skip
            for _ in range(3000):
                try:
                    refused += draw.choice(calls)() == ERROR
                except AssertionError:  # of what follows a discarded step
                    refused += 1
            self.assertGreater(refused, 500)
            one.good("Reset")
            self.assertEqual(one.start().step(0, 0.01)[0], OK)
            one.free()


if __name__ == "__main__":
    unittest.main()
