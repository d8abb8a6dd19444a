import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from codegen import project, render, writer
from codegen.outputs import AGENTS, CONFIG, GENERATED_FOLDERS, OUTPUTS, TOOLS
from lcg.errors import InvalidParams
from tests.codegen.renew_golden import golden_path
from tests.codegen.sample_project import GOLDEN, make_project


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return project.generate(make_project(tmp_path_factory.mktemp("sample")))


def test_the_sample_renders_the_golden_files_and_no_others(files: dict[str, str]) -> None:
    golden = {path.relative_to(GOLDEN).as_posix().removesuffix(".txt") for path in GOLDEN.rglob("*.txt")}
    assert sorted(golden - set(files)) == []
    assert sorted(set(files) - golden) == []


@pytest.mark.parametrize(
    "path", sorted(path.relative_to(GOLDEN).as_posix().removesuffix(".txt") for path in GOLDEN.rglob("*.txt"))
)
def test_a_golden_file_is_rendered_as_it_was(files: dict[str, str], path: str) -> None:
    assert files.get(path) == golden_path(path).read_text(encoding="utf-8"), "see tests/codegen/renew_golden.py"


def test_two_runs_make_identical_bytes(files: dict[str, str], tmp_path: Path) -> None:
    root = make_project(tmp_path)
    code = f"import sys; sys.path[:0] = {sys.path!r}\nfrom pathlib import Path\nfrom codegen import project\n"
    code += f"print(repr(project.generate(Path({str(root)!r}))), end='')"
    environment = os.environ | {"PYTHONHASHSEED": "7", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", code]
    again = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, env=environment)
    assert again.stdout == repr(files)


def test_every_file_lies_in_a_generated_folder(files: dict[str, str]) -> None:
    assert [path for path in files if not path.startswith(GENERATED_FOLDERS)] == []


def test_every_file_names_its_source_template_and_command(files: dict[str, str], tmp_path: Path) -> None:
    root = make_project(tmp_path)
    sources = [
        f"{name} (sha256 {writer.digest((root / name).read_text(encoding='utf-8'))})"
        for name in (TOOLS, CONFIG, AGENTS)
    ]
    templates = {output.template for output in OUTPUTS}
    for path, text in files.items():
        head = text[:400]
        assert "DO NOT EDIT. Renew with `make gen`." in head, path
        assert any(f"Source: {source}" in head for source in sources), path
        assert any(f"codegen/templates/{template}" in head for template in templates), path


def test_every_template_has_a_row_in_the_table() -> None:
    assert {path.name for path in render.TEMPLATES.glob("*.j2")} == {output.template for output in OUTPUTS}


def module(files: dict[str, str], name: str) -> Any:
    """Load a generated module from its text."""
    made = types.ModuleType(f"sample_{name}")
    sys.modules[made.__name__] = made
    exec(compile(files[f"src/lcg/generated/{name}.py"], name, "exec"), made.__dict__)
    return made


def test_the_rendered_decoder_decodes(files: dict[str, str]) -> None:
    params = module(files, "params")
    found = params.decode_find_things({"query": " boat ", "num_results": "500", "group_ids": "home"})
    assert (found.query, found.mode, found.num_results, found.min_score) == ("boat", "fast", 100, 0.5)
    assert found.groups.ids == ("home",)
    stored = params.decode_store_thing(
        {"name": "Tern", "owner": '{"name": " Mira "}', "tags": ["a", "b"], "attributes": 5}
    )
    assert (stored.owner, stored.labels, stored.fact, stored.group_id) == ({"name": "Mira"}, ("Thing",), None, "home")
    assert (stored.attributes, stored.attributes_malformed) == ({}, True)
    with pytest.raises(InvalidParams, match="Did you mean `owner`"):
        params.decode_store_thing({"name": "Tern", "ownr": {}, "tags": ["a", "b"]})


def test_the_rendered_results_are_types(files: dict[str, str]) -> None:
    results = module(files, "results")
    assert results.ThingRecord.__required_keys__ == {"uuid", "name", "since", "parts"}
    assert results.StoreThingResult.__optional_keys__ == {"created", "warnings"}


def test_details_are_for_the_reference_and_the_code_not_for_clients(tmp_path: Path) -> None:
    files = project.generate(
        make_project(
            tmp_path,
            ("description: Stores one thing.", 'description: Stores one thing.\n  details: ["Boats come first."]'),
            ('description: "Which one."', 'description: "Which one.", details: "One that exists."'),
        )
    )
    page = files["docs/reference/generated/things.md"]
    assert "- Boats come first." in page
    assert "| Which one. One that exists. |" in page
    assert "Which one. One that exists." in files["src/lcg/generated/params.py"]
    listed = files["src/lcg/generated/tool_specs.py"]
    assert "Which one." in listed
    assert "Boats come first" not in listed
    assert "One that exists" not in listed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a\\|b"),
        ("`a|b` *c*", "`a\\|b` \\*c\\*"),
        ("[x] <y>", "\\[x\\] \\<y>"),
        ("snake_case and _loose_", "snake_case and \\_loose\\_"),
    ],
)
def test_markdown_shows_a_text_as_it_is(text: str, shown: str) -> None:
    assert render.md(text) == shown


@pytest.mark.parametrize("text", ['a"', '"""', "back\\slash", "\\", 'x\\"'])
def test_a_docstring_says_what_was_written(text: str) -> None:
    assert eval(f'"""{render.doc(text)}"""') == text
