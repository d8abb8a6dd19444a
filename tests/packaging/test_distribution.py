"""The wheel and the source archive have what runs and nothing else, and the wheel runs without a network."""

import importlib.metadata
import importlib.util
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult

from tests.processes import ROOT

pytestmark = pytest.mark.e2e

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
STEM = f"lcg-{PROJECT['version']}"
LEFT_BEHIND = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "node_modules")
BUILD_S = 300


def missing() -> str | None:
    """Say what it takes to build and is not there."""
    if importlib.util.find_spec("build") is None:
        return "the package `build` is not installed"
    if int(importlib.metadata.version("setuptools").split(".")[0]) < 77:
        return "setuptools is older than 77"
    return None


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=BUILD_S, check=False)
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the source archive of a copy of this checkout, and the wheel that was built from it."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("dist")
    # In a copy, since setuptools leaves folders behind, and takes up again what lies in them.
    source = Path(shutil.copytree(ROOT, folder / "source", ignore=LEFT_BEHIND))
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, cwd=source)
    return folder


def sources() -> set[str]:
    """Return every file of the package that is kept under version control, by its place in a wheel."""
    files = {path for path in (ROOT / "src/lcg").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    return {path.relative_to(ROOT / "src").as_posix() for path in files}


def test_the_wheel_has_the_package_with_generated_code_and_nothing_else(distributions: Path) -> None:
    with zipfile.ZipFile(distributions / f"{STEM}-py3-none-any.whl") as wheel:
        names = set(wheel.namelist())
        entry_points = wheel.read(f"{STEM}.dist-info/entry_points.txt").decode()
    package = {name for name in names if not name.startswith(f"{STEM}.dist-info/")}
    assert package == sources()
    assert {"lcg/generated/dispatch.py", "lcg/py.typed"} <= package
    assert {f"{STEM}.dist-info/licenses/{name}" for name in ("LICENSE", "NOTICE")} <= names
    for script in PROJECT["scripts"]:
        assert f"{script} = lcg.__main__:main" in entry_points


def test_the_source_archive_has_what_a_wheel_is_built_from_and_nothing_else(distributions: Path) -> None:
    with tarfile.open(distributions / f"{STEM}.tar.gz") as archive:
        files = {member.name.removeprefix(f"{STEM}/") for member in archive.getmembers() if member.isfile()}
    beside = {name for name in files if not name.startswith(("src/lcg/", "src/lcg.egg-info/"))}
    assert beside == {"LICENSE", "MANIFEST.in", "NOTICE", "PKG-INFO", "README.md", "pyproject.toml", "setup.cfg"}
    assert {name for name in files if name.startswith("src/lcg/")} == {f"src/{name}" for name in sources()}


def without_network() -> list[str]:
    """Return a command that runs another one without a network, empty where that cannot be had."""
    prefix = ["unshare", "--map-root-user", "--net"]
    if shutil.which(prefix[0]) and subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0:
        return prefix
    return []


@pytest.fixture(scope="module")
def program(distributions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of the wheel, in an environment that has nothing else of this checkout."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder)
    python = folder / "bin/python"
    wheel = distributions / f"{STEM}-py3-none-any.whl"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel, cwd=folder)
    # The dependencies are those of this environment; a path behind its own does not bring the checkout along.
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip()
    (Path(site) / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    assert Path(run(python, "-c", "import lcg; print(lcg.__file__)", cwd=folder).strip()).is_relative_to(folder)
    return folder / "bin/lcg"


def test_the_program_of_the_wheel_serves_a_client_without_a_network(program: Path, tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    words = [*without_network(), str(program), "--mcp-stdio", "--workspace", str(tmp_path / "w")]
    parameters = StdioServerParameters(command=words[0], args=words[1:], cwd="/")

    async def conversation() -> dict[str, Any]:
        with (tmp_path / "stderr").open("w") as errors:
            async with Client(stdio_client(parameters, errlog=errors)) as client:
                await client.call_tool("knowledge_assert_entity", {"name": "Ada Lovelace", "summary": "wrote programs"})
                found = await client.call_tool("knowledge_find_entities", {"query": "who programmed"})
                assert isinstance(found, CallToolResult)
                return found.structured_content or {}

    nodes = anyio.run(conversation)["nodes"]
    assert [node["name"] for node in nodes] == ["Ada Lovelace"]
    assert (tmp_path / "w/.lcg/wal").is_dir()
    assert run(program, "--version", cwd=tmp_path) == f"lcg {PROJECT['version']}\n"
