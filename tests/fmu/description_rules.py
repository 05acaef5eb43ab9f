"""modelDescription.xml against the rules of FMI 2.0 and 3.0, in Python's standard library alone.

`complaints(xml)` lists what breaks them: elements, their order and number, attributes and their types (what the schemas of the
standard say, as tables of our own), and what no schema says: which causality goes with which variability and initial, where a
start value must be and where none may be, names and value references once each, units that are defined, and a model structure
that lists all of what it must, in order.
"""

import re
import xml.etree.ElementTree as ElementTree

# Types: a pattern, or the words that there are.
BOOLEAN = ("true", "false", "0", "1")
DOUBLE = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
INTEGER = re.compile(r"[+-]?\d+")
UNSIGNED = re.compile(r"\+?\d+")
UNSIGNEDS = re.compile(r"(\d+( \d+)*)?")
TEXT = re.compile(r"[^\r\n\t]*")
WORD = re.compile(r"[^\r\n\t]+")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
KINDS = re.compile(r"((dependent|constant|fixed|tunable|discrete)( (?!$)|$))*")
VARIABILITY = ("constant", "fixed", "tunable", "discrete", "continuous")
INITIAL = ("exact", "approx", "calculated")


def attributes(required, **optional):
    return {name: (kind, True) for name, kind in required.items()} | {name: (kind, False) for name, kind in optional.items()}


def booleans(*names):
    return {name: BOOLEAN for name in names}


# element: (attributes, children in their order as (name, least, most))
MANY = 10**9
ABOUT = dict(
    description=TEXT, author=TEXT, version=TEXT, copyright=TEXT, license=TEXT, generationTool=TEXT, generationDateAndTime=MOMENT,
    variableNamingConvention=("flat", "structured"),
)
NUMBER = dict(
    declaredType=WORD, quantity=TEXT, unit=TEXT, displayUnit=TEXT, relativeQuantity=BOOLEAN, unbounded=BOOLEAN, min=DOUBLE, max=DOUBLE,
    nominal=DOUBLE, start=DOUBLE, derivative=UNSIGNED, reinit=BOOLEAN,
)
UNIT = {
    "UnitDefinitions": ({}, [("Unit", 1, MANY)]),
    "Unit": (attributes({"name": WORD}), [("BaseUnit", 0, 1), ("DisplayUnit", 0, MANY)]),
    "BaseUnit": (attributes({}, factor=DOUBLE, offset=DOUBLE, **{name: INTEGER for name in "kg m s A K mol cd rad".split()}), []),
    "LogCategories": ({}, [("Category", 1, MANY)]),
    "Category": (attributes({"name": WORD}, description=TEXT), []),
    "DefaultExperiment": (attributes({}, startTime=DOUBLE, stopTime=DOUBLE, tolerance=DOUBLE, stepSize=DOUBLE), []),
}
UNKNOWN = dict(dependencies=UNSIGNEDS, dependenciesKind=KINDS)
FMI2 = UNIT | {
    "fmiModelDescription": (
        attributes({"fmiVersion": ("2.0",), "modelName": WORD, "guid": WORD}, numberOfEventIndicators=UNSIGNED, **ABOUT),
        [
            ("ModelExchange", 0, 1), ("CoSimulation", 0, 1), ("UnitDefinitions", 0, 1), ("TypeDefinitions", 0, 1), ("LogCategories", 0, 1),
            ("DefaultExperiment", 0, 1), ("VendorAnnotations", 0, 1), ("ModelVariables", 1, 1), ("ModelStructure", 1, 1),
        ],
    ),
    "CoSimulation": (
        attributes(
            {"modelIdentifier": IDENTIFIER}, maxOutputDerivativeOrder=UNSIGNED,
            **booleans(
                "needsExecutionTool", "canHandleVariableCommunicationStepSize", "canInterpolateInputs", "canRunAsynchronuously",
                "canBeInstantiatedOnlyOncePerProcess", "canNotUseMemoryManagementFunctions", "canGetAndSetFMUstate",
                "canSerializeFMUstate", "providesDirectionalDerivative",
            ),
        ),
        [("SourceFiles", 0, 1)],
    ),
    "ModelVariables": ({}, [("ScalarVariable", 1, MANY)]),
    "ScalarVariable": (
        attributes(
            {"name": WORD, "valueReference": UNSIGNED}, description=TEXT,
            causality=("parameter", "calculatedParameter", "input", "output", "local", "independent"), variability=VARIABILITY,
            initial=INITIAL, canHandleMultipleSetPerTimeInstant=BOOLEAN,
        ),
        [("Real", 1, 1), ("Annotations", 0, 1)],
    ),
    "Real": (attributes({}, **NUMBER), []),
    "ModelStructure": ({}, [("Outputs", 0, 1), ("Derivatives", 0, 1), ("InitialUnknowns", 0, 1)]),
    "Outputs": ({}, [("Unknown", 1, MANY)]),
    "InitialUnknowns": ({}, [("Unknown", 1, MANY)]),
    "Unknown": (attributes({"index": UNSIGNED}, **UNKNOWN), []),
}
FMI3 = UNIT | {
    "fmiModelDescription": (
        attributes({"fmiVersion": re.compile(r"3\.\d+(\.\d+)?"), "modelName": WORD, "instantiationToken": WORD}, **ABOUT),
        [
            ("ModelExchange", 0, 1), ("CoSimulation", 0, 1), ("ScheduledExecution", 0, 1), ("UnitDefinitions", 0, 1),
            ("TypeDefinitions", 0, 1), ("LogCategories", 0, 1), ("DefaultExperiment", 0, 1), ("ModelVariables", 1, 1),
            ("ModelStructure", 1, 1), ("Annotations", 0, 1),
        ],
    ),
    "CoSimulation": (
        attributes(
            {"modelIdentifier": IDENTIFIER}, fixedInternalStepSize=DOUBLE, maxOutputDerivativeOrder=UNSIGNED,
            recommendedIntermediateInputSmoothness=INTEGER,
            **booleans(
                "needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess", "canGetAndSetFMUState", "canSerializeFMUState",
                "providesDirectionalDerivatives", "providesAdjointDerivatives", "providesPerElementDependencies",
                "canHandleVariableCommunicationStepSize", "providesIntermediateUpdate", "mightReturnEarlyFromDoStep",
                "canReturnEarlyAfterIntermediateUpdate", "hasEventMode", "providesEvaluateDiscreteStates",
            ),
        ),
        [("Annotations", 0, 1)],
    ),
    "ModelVariables": ({}, [("Float64", 1, MANY)]),
    "Float64": (
        attributes(
            {"name": WORD, "valueReference": UNSIGNED}, description=TEXT,
            causality=("parameter", "calculatedParameter", "input", "output", "local", "independent", "structuralParameter"),
            variability=VARIABILITY, initial=INITIAL, canHandleMultipleSetPerTimeInstant=BOOLEAN, intermediateUpdate=BOOLEAN,
            previous=UNSIGNED, clocks=UNSIGNEDS, **NUMBER,
        ),
        [("Dimension", 0, MANY), ("Start", 0, 1), ("Alias", 0, MANY), ("Annotations", 0, 1)],
    ),
    "ModelStructure": (
        {},
        [
            ("Output", 0, MANY), ("ContinuousStateDerivative", 0, MANY), ("ClockedState", 0, MANY), ("InitialUnknown", 0, MANY),
            ("EventIndicator", 0, MANY),
        ],
    ),
    "Output": (attributes({"valueReference": UNSIGNED}, **UNKNOWN), []),
    "InitialUnknown": (attributes({"valueReference": UNSIGNED}, **UNKNOWN), []),
}

# causality: variability it may have, initial it may have (None: the attribute is left out), whether it has a start value
GOES_WITH = {
    "parameter": (("fixed", "tunable"), ("exact", None), True),
    "calculatedParameter": (("fixed", "tunable"), ("calculated", None), False),
    "input": (("discrete", "continuous"), (None,), True),
    "output": (("discrete", "continuous"), ("calculated", None), False),
    "independent": (("continuous",), (None,), False),
}


def form(element, schema):
    """What the schemas say of an element and those below it."""
    if element.tag not in schema:
        yield f"<{element.tag}> is unknown"
        return
    known, children = schema[element.tag]
    for name, (kind, required) in known.items():
        value = element.get(name)
        if value is None:
            if required:
                yield f"<{element.tag}> lacks {name}"
        elif not (value in kind if isinstance(kind, tuple) else kind.fullmatch(value)):
            yield f"<{element.tag}> {name}='{value}'"
    yield from (f"<{element.tag}> may not have {name}" for name in element.keys() if name not in known)
    at = 0
    for child in element:
        names = [name for name, _, _ in children]
        if child.tag not in names[at:]:
            yield f"<{child.tag}> is not in its place in <{element.tag}>"
            continue
        at = names.index(child.tag)
        yield from form(child, schema)
    for name, least, most in children:
        if not least <= len(element.findall(name)) <= most:
            yield f"<{element.tag}> has {len(element.findall(name))} of <{name}>"


def of_variable(variable, numbers, units):
    name, causality, variability, initial = (variable.get(key) for key in ("name", "causality", "variability", "initial"))
    if causality not in GOES_WITH:
        yield f"{name}: a co-simulation of ours has no {causality}"
        return
    variabilities, initials, started = GOES_WITH[causality]
    if (variability or "continuous") not in variabilities:
        yield f"{name}: {causality} that is {variability}"
    if initial not in initials:
        yield f"{name}: {causality} with initial {initial}"
    if (numbers.get("start") is not None) != started:
        yield f"{name}: {causality} {'without' if started else 'with'} a start value"
    if numbers.get("unit") is not None and numbers.get("unit") not in units:
        yield f"{name}: unit '{numbers.get('unit')}' is not defined"
    bounds = [float(numbers.get(key)) for key in ("min", "start", "max") if numbers.get(key) is not None]
    if bounds != sorted(bounds):
        yield f"{name}: min, start and max are {bounds}"


def of_structure(root, two, keys):
    """keys: the variables by what the structure calls them, in their order."""
    structure, key = root.find("ModelStructure"), "index" if two else "valueReference"
    order = list(keys)
    lists = {
        "output": (structure.findall("Outputs/Unknown" if two else "Output"), [k for k, v in keys.items() if v.get("causality") == "output"]),
        "initial": (
            structure.findall("InitialUnknowns/Unknown" if two else "InitialUnknown"),
            [k for k, v in keys.items() if v.get("causality") in ("output", "calculatedParameter")],
        ),
    }
    for what, (listed, expected) in lists.items():
        found = [one.get(key) for one in listed]
        if found != expected:
            yield f"the {what} unknowns are {found}, not {expected}"
        for one in listed:
            if one.get("dependencies") is None:
                if one.get("dependenciesKind") is not None:
                    yield f"{what} {one.get(key)}: dependenciesKind without dependencies"
                continue
            names = one.get("dependencies").split()
            if len(set(names)) != len(names) or not set(names) <= set(order):
                yield f"{what} {one.get(key)}: depends on {names}"
            if what == "output" and any(keys[n].get("causality") not in ("input", "independent") for n in names if n in keys):
                yield f"output {one.get(key)}: depends on what is no input"
            kinds = one.get("dependenciesKind")
            if kinds is not None and len(kinds.split()) != len(names):
                yield f"{what} {one.get(key)}: {len(names)} dependencies, {len(kinds.split())} kinds"


def complaints(xml):
    root = ElementTree.fromstring(xml)
    two = root.get("fmiVersion") == "2.0"
    found = list(form(root, FMI2 if two else FMI3))
    if found:
        return found
    units = [unit.get("name") for unit in root.findall("UnitDefinitions/Unit")]
    variables = list(root.find("ModelVariables"))
    for what, names in (
        ("unit", units),
        ("name", [v.get("name") for v in variables]),
        ("value reference", [v.get("valueReference") for v in variables]),
        ("category", [c.get("name") for c in root.findall("LogCategories/Category")]),
    ):
        found += [f"{what} '{name}' is there {names.count(name)} times" for name in set(names) if names.count(name) > 1]
    for variable in variables:
        found += of_variable(variable, variable.find("Real") if two else variable, units)
    if sum(v.get("causality") == "independent" for v in variables) != 1:
        found.append("there is not one independent variable")
    found += of_structure(root, two, {str(i + 1) if two else v.get("valueReference"): v for i, v in enumerate(variables)})
    kind, state = root.find("CoSimulation"), "FMUstate" if two else "FMUState"
    if kind is None:
        found.append("it is not for co-simulation")
    elif kind.get("canSerialize" + state) == "true" and kind.get("canGetAndSet" + state) != "true":
        found.append("states are serialized that cannot be got")
    experiment = root.find("DefaultExperiment")
    if experiment is not None:
        start, stop, step = (float(experiment.get(key, default)) for key, default in (("startTime", "0"), ("stopTime", "1"), ("stepSize", "1")))
        if not (start <= stop and step > 0):
            found.append(f"the default experiment goes from {start} to {stop} by {step}")
    return found
