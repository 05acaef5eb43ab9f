"""The second master of FMI in orders of calls that the standard allows and few importers make, and without what it lets them leave out.

    CARDAN_PROGRAM=build/release/bin/cardan python3 call_sequences.py
"""

import math
import unittest
from ctypes import byref, c_double, c_int, c_size_t, c_uint

from fmi_objects import ERROR, OK
from second_master import Exported, advance


class Sequences(Exported):
    def rows(self, fmu, instance, steps=4):
        return advance(fmu, instance, 0, steps, 0.01)

    def test_states_of_every_mode(self):
        """Got before, in and after the initialization and at the end: going back is to be there again."""
        for fmu in self.versions(self.ending()):
            push = fmu.references("input")["push"]
            instance = fmu()
            self.assertEqual(instance.set({push: -1.0}), OK)
            fresh = instance.state()
            self.assertEqual(instance.setup(), OK)
            self.assertEqual(instance.set({push: 0.5}), OK)
            starting = instance.state()
            instance.good("ExitInitializationMode")
            rows = self.rows(fmu, instance)
            instance.good("Terminate")
            ended = instance.state()
            for _ in range(2):
                self.assertEqual(instance.restore(starting), OK)
                self.assertEqual(instance.get([push, 0]), [0.5, 0])
                instance.good("ExitInitializationMode")
                self.assertEqual(self.rows(fmu, instance), rows)
                self.assertEqual(instance.restore(fresh), OK)
                self.assertEqual(instance.setup(0.3), OK)
                self.assertEqual(instance.get([push]), [-1.0])
                instance.good("ExitInitializationMode")
                self.assertEqual(self.rows(fmu, instance), rows)
                self.assertEqual(instance.restore(ended), OK)
                self.assertEqual(instance.get([0]), [0.04])
                self.assertEqual(instance.step(0.04, 0.01)[0], ERROR)
            # Into a place that holds a state already, and over to an instance that has not begun.
            self.assertEqual(instance.restore(fresh), OK)
            before = fresh.value
            self.assertEqual(instance.call("Get" + instance.state_name, byref(fresh)), OK)
            self.assertEqual(fresh.value, before)
            other = fmu("other")
            status, taken = other.state_from(instance.bytes_of(starting))
            self.assertEqual((status, other.restore(taken)), (OK, OK))
            other.good("ExitInitializationMode")
            self.assertEqual(self.rows(fmu, other), rows)
            self.assertEqual(other.restore(fresh), ERROR)  # of another instance
            other.free()
            instance.free()

    def test_reset_is_new(self):
        """From every mode, errors among them: parameters, inputs, stop time and motion are those of a new instance."""
        for fmu in self.versions(self.ending()):
            push, m = fmu.references("input")["push"], fmu.references("parameter")["m"]
            expected = self.rows(fmu, fmu().start())
            instance = fmu()
            for spoil in (
                lambda: instance.set({push: -2.0, m: 9.0}), lambda: instance.setup(0.005), lambda: (instance.start(1), instance.step(0, 0.013)),
                lambda: (instance.start(), instance.set({m: 5.0}), instance.step(0, 0.01), instance.call("Terminate")),
                lambda: instance.set({4000000000: 1.0}), lambda: (instance.start(), instance.step(0, 5)),
            ):  # fmt: skip
                spoil()
                instance.good("Reset")
                self.assertEqual(instance.setup(), OK)
                self.assertEqual(instance.get([push, m, 0]), [1.0, 2.0, 0.0])
                instance.good("ExitInitializationMode")
                self.assertEqual(self.rows(fmu, instance), expected)
                instance.good("Reset")
            instance.free()

    def test_importers_without_callbacks(self):
        for fmu in self.versions(self.ending()):
            expected = self.rows(fmu, fmu().start())
            for callbacks in (False, None) if fmu.version == 2 else (False,):
                instance = fmu(callbacks=callbacks, logging=True, visible=True)
                self.assertEqual(instance.debug(True), OK)
                self.assertEqual(self.rows(fmu, instance.start()), expected)
                self.assertEqual(instance.step(7, 0.01)[0], ERROR)
                instance.free()
                self.assertIsNone(fmu(token="{another}", callbacks=callbacks).handle)

    def test_updates_in_the_middle_of_steps_are_not_made(self):
        fmu = self.export(self.ending(), 3)
        called = []
        instance = fmu(update=lambda *arguments: called.append(arguments), early=True)
        self.assertEqual(self.rows(fmu, instance.start()), self.rows(fmu, fmu().start()))
        self.assertEqual(called, [])

    def test_derivatives_in_time(self):
        """Of inputs and of outputs: the description says that there are none. None are asked for at no cost."""
        for fmu in self.versions(self.ending()):
            push, pin = fmu.references("input")["push"], fmu.references("output")["pin.q"]
            order, value = c_int(1), c_double(0)
            asked = [("GetRealOutputDerivatives", pin), ("SetRealInputDerivatives", push)] if fmu.version == 2 else [("GetOutputDerivatives", pin)]
            for function, reference in asked:
                instance = fmu().start()
                self.assertEqual(instance.call(function, None, c_size_t(0), None, None, *instance.again(0)), OK)
                given = (byref(c_uint(reference)), c_size_t(1), byref(order), byref(value))
                self.assertEqual(instance.call(function, *given, *instance.again(1)), ERROR)
                self.assertIn(function, instance.log[-1][2])
                instance.free()

    def test_what_may_not_be_set(self):
        """Outputs, calculated parameters and the time, before the initialization as after it."""
        for fmu in self.versions(self.ending()):
            for reference in (0, fmu.references("output")["pin.q"], fmu.references("calculatedParameter")["twice"]):
                for begin in (lambda i: None, lambda i: i.setup(), lambda i: i.start()):
                    instance = fmu()
                    begin(instance)
                    self.assertEqual(instance.set({reference: 1.0}), ERROR)
                    instance.free()

    def test_nothing_at_all(self):
        """No variables, no categories, no array for them either."""
        for fmu in self.versions(self.ending()):
            instance = fmu().start()
            for function in (instance.getter, instance.setter):
                self.assertEqual(instance.call(function, None, c_size_t(0), None, *instance.again(0)), OK)
            self.assertEqual(instance.call("SetDebugLogging", instance.boolean(True), c_size_t(0), None), OK)
            instance.free()
            instance.free()  # of nothing

    def test_tolerances_and_stop_times(self):
        """A tolerance changes nothing; a stop time that is not given leaves the end open; one that is equal to the start ends it there."""
        for fmu in self.versions(self.ending("integrator: dopri5")):
            instance = fmu().start(0)
            self.assertEqual(instance.step(0, 0.01)[0], ERROR)
            instance.free()
            self.assertEqual(fmu().setup(stop=math.nan), ERROR)
            self.assertEqual(fmu().setup(start=math.nan), ERROR)
            self.assertEqual(fmu().start().step(0, 0.1)[:2], (OK, 0.1))


if __name__ == "__main__":
    unittest.main()
