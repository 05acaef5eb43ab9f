"""Shared objects of FMUs of FMI 2.0 and 3.0 in Python, by ctypes: declared from the names and arguments of the standard alone,
apart from the headers that the objects are made with. Both versions look alike from outside: an `Fmu` makes an `Instance`."""

import ctypes
import urllib.parse
import xml.etree.ElementTree as ElementTree
import zipfile
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path

OK, WARNING, DISCARD, ERROR = range(4)


class Fmu:
    """One that lies unpacked in a folder."""

    def __init__(self, archive, folder):
        with zipfile.ZipFile(archive) as packed:
            self.names = packed.namelist()
            packed.extractall(folder)
        self.folder = Path(folder)
        self.xml = (self.folder / "modelDescription.xml").read_text(encoding="utf-8")
        root = ElementTree.fromstring(self.xml)
        self.version = int(root.get("fmiVersion")[0])
        self.token = root.get("guid" if self.version == 2 else "instantiationToken")
        self.identifier = root.find("CoSimulation").get("modelIdentifier")
        self.variables = list(root.find("ModelVariables"))
        self.binary = f"binaries/{'linux64' if self.version == 2 else 'x86_64-linux'}/{self.identifier}.so"
        self.object = ctypes.CDLL(str(self.folder / self.binary))
        self.resources = str((self.folder / "resources").resolve())

    def references(self, causality):
        return {v.get("name"): int(v.get("valueReference")) for v in self.variables if v.get("causality") == causality}

    def __call__(self, name="one", **how):
        return (Fmi2 if self.version == 2 else Fmi3)(self, name, **how)


class Instance:
    """What both versions have in common; `prefix` and the names of states differ."""

    def __init__(self, fmu, handle):
        self.fmu, self.handle = fmu, handle

    def call(self, name, *arguments):
        function = getattr(self.fmu.object, self.prefix + name)
        function.restype = c_int
        return function(c_void_p(self.handle), *arguments)

    def good(self, name, *arguments):
        status = self.call(name, *arguments)
        assert status == OK, f"{self.prefix}{name} answers {status}: {self.log[-1:]}"

    def free(self):
        getattr(self.fmu.object, self.prefix + "FreeInstance")(c_void_p(self.handle))
        self.handle = None

    def debug(self, on, *categories):
        names = (c_char_p * len(categories))(*(c.encode() for c in categories))
        return self.call("SetDebugLogging", self.boolean(on), c_size_t(len(categories)), names)

    def set(self, values):
        """values: {reference: value}"""
        count = len(values)
        return self.call(self.setter, (c_uint * count)(*values), c_size_t(count), (c_double * count)(*values.values()), *self.again(count))

    def get(self, references):
        count = len(references)
        values = (c_double * count)()
        self.good(self.getter, (c_uint * count)(*references), c_size_t(count), values, *self.again(count))
        return list(values)

    def state(self):
        place = c_void_p()
        self.good("Get" + self.state_name, byref(place))
        return place

    def restore(self, state):
        return self.call("Set" + self.state_name, state)

    def free_state(self, state):
        return self.call("Free" + self.state_name, byref(state))

    def bytes_of(self, state):
        size = c_size_t()
        self.good(f"Serialized{self.state_name}Size", state, byref(size))
        place = (ctypes.c_ubyte * size.value)()
        self.good("Serialize" + self.state_name, state, place, size)
        return bytes(place)

    def state_from(self, written):
        place = c_void_p()
        status = self.call(self.deserialize + self.state_name, (ctypes.c_ubyte * len(written))(*written), c_size_t(len(written)), byref(place))
        return status, place

    def start(self, stop=None):
        self.good_setup(stop)
        self.good("ExitInitializationMode")
        return self


class Callbacks2(ctypes.Structure):
    # A logger takes any number of arguments. Ours, as that of importers in Python, sees the format alone: it says it all.
    LOGGER = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p)
    _fields_ = [("logger", LOGGER), ("allocate", c_void_p), ("free", c_void_p), ("finished", c_void_p), ("environment", c_void_p)]


class Fmi2(Instance):
    prefix, state_name, deserialize, getter, setter = "fmi2", "FMUstate", "DeSerialize", "GetReal", "SetReal"
    boolean = staticmethod(lambda on: c_int(on))
    again = staticmethod(lambda count: ())

    def __init__(self, fmu, name, token=None, address=None, logging=False, visible=False, callbacks=True):
        """callbacks: None gives no struct of them at all, False one without a logger."""
        self.log = []

        def log(_, who, status, category, form):
            self.log.append((status, category.decode(), form.decode().replace("%%", "%")))

        logger = Callbacks2.LOGGER(log) if callbacks else Callbacks2.LOGGER()
        self.callbacks = Callbacks2(logger, None, None, None, None)  # the FMU says that it does without memory of ours
        make = fmu.object.fmi2Instantiate
        make.restype = c_void_p
        address = "file://" + urllib.parse.quote(fmu.resources) if address is None else address
        token = (token or fmu.token).encode()
        given = None if callbacks is None else byref(self.callbacks)
        super().__init__(fmu, make(name.encode(), c_int(1), token, address.encode(), given, c_int(visible), c_int(logging)))

    def setup(self, stop=None, start=0.0):
        status = self.call("SetupExperiment", c_int(1), c_double(1e-4), c_double(start), c_int(stop is not None), c_double(stop or 0))
        return status if status != OK else self.call("EnterInitializationMode")

    def good_setup(self, stop):
        assert self.setup(stop) == OK, self.log

    def step(self, t, h):
        """Status, the time reached, whether the model has come to its end."""
        status = self.call("DoStep", c_double(t), c_double(h), c_int(1))
        ended, reached = c_int(0), c_double(t + h)
        if status == DISCARD:
            self.good("GetBooleanStatus", c_int(3), byref(ended))
            self.good("GetRealStatus", c_int(2), byref(reached))
        return status, reached.value, bool(ended.value)


class Fmi3(Instance):
    prefix, state_name, deserialize, getter, setter = "fmi3", "FMUState", "Deserialize", "GetFloat64", "SetFloat64"
    boolean = staticmethod(lambda on: c_bool(on))
    again = staticmethod(lambda count: (c_size_t(count),))
    LOGGER = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)
    UPDATE = ctypes.CFUNCTYPE(None, c_void_p, c_double, c_bool, c_bool, c_bool, c_bool, POINTER(c_bool), POINTER(c_double))

    def __init__(self, fmu, name, token=None, address=None, logging=False, visible=False, callbacks=True, early=False, events=False, update=None):
        """update: called in the middle of steps by FMUs that provide it."""
        self.log = []
        self.logger = self.LOGGER(lambda _, status, category, text: self.log.append((status, category.decode(), text.decode())))
        self.update = self.UPDATE(update) if update else self.UPDATE()
        make = fmu.object.fmi3InstantiateCoSimulation
        make.restype = c_void_p
        address = fmu.resources + "/" if address is None else address
        token, asked = (token or fmu.token).encode(), [c_bool(value) for value in (visible, logging, events, early)]
        none = (POINTER(c_uint)(), c_size_t(0))  # intermediate variables
        logger = self.logger if callbacks else self.LOGGER()
        super().__init__(fmu, make(name.encode(), token, address.encode(), *asked, *none, None, logger, self.update))

    def setup(self, stop=None, start=0.0):
        return self.call("EnterInitializationMode", c_bool(True), c_double(1e-4), c_double(start), c_bool(stop is not None), c_double(stop or 0))

    def good_setup(self, stop):
        assert self.setup(stop) == OK, self.log

    def step(self, t, h):
        wanted, ended, early, reached = c_bool(True), c_bool(True), c_bool(True), c_double()
        status = self.call("DoStep", c_double(t), c_double(h), c_bool(True), byref(wanted), byref(ended), byref(early), byref(reached))
        assert status != OK or not wanted.value, "it has no event mode"
        return status, reached.value, ended.value
