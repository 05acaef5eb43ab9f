"""What a controller in Python costs over the same one in C++.

    cmake --build build/release --target python_controller_bench
    PYTHONPATH=build/release/python python3 python/bench/controller.py build/release/bin/python_controller_bench [STEPS [REPEATS]]

Processor time, each the best of several, since the machine may do other things. With REPEATS 1 and one of the names below in place of
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


def best(way, steps, repeats):
    times = []
    for _ in range(repeats):
        simulation = cardan.Simulation(arm(), step=0.001)
        begin = time.process_time()
        way(simulation, steps)
        times.append(time.process_time() - begin)
    return min(times)


def main(program, steps=100_000, repeats=15):
    if program in WAYS:
        print(best(WAYS[program], steps, repeats))
        return
    cost = {"C++": float(subprocess.run([program, str(steps), str(repeats)], check=True, capture_output=True, text=True).stdout)}
    for name, way in WAYS.items():
        cost[name] = best(way, steps, repeats)
    for name, seconds in cost.items():
        print(f"{name:<12}{1e6 * seconds / steps:8.3f} us a step")
    for name in ("controller", "loop"):
        print(f"{name + ' over C++':<22}{1e6 * (cost[name] - cost['C++']) / steps:8.3f} us a step")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
