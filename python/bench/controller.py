"""What a controller in Python costs over the same one in C++.

    cmake --build build/release --target python_controller_bench
    PYTHONPATH=build/release/python python3 python/bench/controller.py build/release/bin/python_controller_bench [STEPS [REPEATS]]

Processor time, each the best of several that take turns, since the machine may do other things. With REPEATS 1 and one of the names below in place of
the program, `valgrind --tool=callgrind` counts the instructions of one of them.
"""

import subprocess
import sys
import time

import cardan


def arm():
    b = cardan.MechanismBuilder("arm").planar().rod("arm", [0, 0], [1, 0], 2).revolute("pin", "ground", "arm", [0, 0])
    return b.add("inputs", "u", min=-100, max=100).actuator("motor", "pin", "u")


def alone(simulation, steps):
    simulation.steps(steps)


def controller(simulation, steps):
    q, u = simulation.signal("pin.q"), simulation.input("u")
    simulation.steps(steps, lambda s: s.set_input(u, -3.0 * s.value(q)))


def loop(simulation, steps):
    q, u = simulation.signal("pin.q"), simulation.input("u")
    value, set_input, step = simulation.value, simulation.set_input, simulation.step
    for _ in range(steps):
        set_input(u, -3.0 * value(q))
        step()


WAYS = {"alone": alone, "controller": controller, "loop": loop}


def seconds(way, steps):
    simulation = cardan.Simulation(arm(), step=0.001)
    begin = time.process_time()
    way(simulation, steps)
    return time.process_time() - begin


def seconds_of(program, steps):
    return float(subprocess.run([program, str(steps), "1"], check=True, capture_output=True, text=True).stdout)


def main(program, steps=100_000, repeats=15):
    if program in WAYS:
        print(seconds(WAYS[program], steps))
        return
    cost = {name: [] for name in ("C++", *WAYS)}
    for _ in range(repeats):
        cost["C++"].append(seconds_of(program, steps))
        for name, way in WAYS.items():
            cost[name].append(seconds(way, steps))
    best = {name: 1e6 * min(times) / steps for name, times in cost.items()}
    for name, time_of_step in best.items():
        print(f"{name:<12}{time_of_step:8.3f} us a step")
    for name in ("controller", "loop"):
        print(f"{name + ' over C++':<22}{best[name] - best['C++']:8.3f} us a step")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
