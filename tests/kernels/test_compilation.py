"""The folder of the machine code is named after all sources that kernels are made of."""

import ast
import inspect
import pkgutil
import shutil
from importlib import import_module
from pathlib import Path

import antdoku
from antdoku.kernels import compilation

PACKAGE = Path(antdoku.__file__).parent


def kernels():
    """All kernels of the package, each with the module that holds it."""
    for package in ("antdoku.kernels", "antdoku.solvers", "antdoku.runs"):
        for found in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
            module = import_module(found.name)
            for value in vars(module).values():
                if getattr(value, "py_func", None) and value.__module__ == module.__name__:
                    yield value.py_func, module


def sources_of(function, module):
    """The file of a kernel, and those from which its module takes a name that the kernel uses."""
    yield inspect.getsourcefile(function)
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("antdoku"):
            for alias in node.names:
                if (alias.asname or alias.name) in function.__code__.co_names:
                    origin = import_module(node.module)
                    value = getattr(origin, alias.name)
                    yield inspect.getsourcefile(value if inspect.ismodule(value) else origin)


def test_an_edit_of_any_source_of_a_kernel_asks_for_new_machine_code(tmp_path, monkeypatch):
    assert compilation.PACKAGE == PACKAGE
    copy = shutil.copytree(PACKAGE, tmp_path / "antdoku")
    monkeypatch.setattr(compilation, "PACKAGE", copy)
    # Private: the folder is made, and told to Numba, when the module is imported.
    hashes = [compilation._sources_hash()]
    sources = {Path(file) for kernel in kernels() for file in sources_of(*kernel)}
    assert {"acs.py", "_local.py", "bits.py", "traces.py"} <= {file.name for file in sources}
    for file in sources:
        with open(copy / file.relative_to(PACKAGE), "a") as edited:
            edited.write("# edited\n")
        hashes.append(compilation._sources_hash())
    assert len(set(hashes)) == 1 + len(sources)


def test_an_edit_elsewhere_leaves_the_machine_code(tmp_path, monkeypatch):
    copy = shutil.copytree(PACKAGE, tmp_path / "antdoku")
    monkeypatch.setattr(compilation, "PACKAGE", copy)
    before = compilation._sources_hash()
    for file in ("errors.py", "config.py", "solvers/cdcl.py"):
        (copy / file).write_text("# edited\n")
    assert compilation._sources_hash() == before
