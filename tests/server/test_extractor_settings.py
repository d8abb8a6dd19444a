"""Which extractor the command line and the environment choose, and that no key is ever shown."""

from pathlib import Path

import pytest

from lcg.__main__ import run
from lcg.provider_settings import LlmSettings
from lcg.settings import Settings, UsageError, read_settings

KEY = "sk-ant-very-secret"
CHAT = "http://127.0.0.1:9/v1/chat/completions"


def llm(**given: str | None) -> LlmSettings:
    env = {name: value for name, value in given.items() if name.isupper() and value is not None}
    settings = read_settings(env, extractor_uds=given.get("extractor_uds"), extractor_http=given.get("extractor_http"))
    assert isinstance(settings.extractor, LlmSettings)
    return settings.extractor


def test_nothing_set_is_no_extractor() -> None:
    assert read_settings({}).extractor is None
    assert read_settings({"ANTHROPIC_API_KEY": "  ", "LCG_EXTRACTION_API_KEY": "x"}).extractor is None


def test_a_key_chooses_anthropic_with_its_default_model() -> None:
    chosen = llm(ANTHROPIC_API_KEY=KEY)
    assert chosen == LlmSettings(
        "anthropic", "https://api.anthropic.com/v1/messages", ("claude-haiku-4-5-20251001",), api_key=KEY
    )


def test_a_second_model_stands_behind_a_colon() -> None:
    assert llm(ANTHROPIC_API_KEY=KEY, LCG_EXTRACTION_LLM="claude-a: claude-b").models == ("claude-a", "claude-b")
    assert llm(ANTHROPIC_API_KEY=KEY, GRAPHITI_EXTRACTION_LLM="old").models == ("old",)


@pytest.mark.parametrize("value", [":", "a:", ":b"])
def test_half_a_pair_of_models_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match="first:second"):
        llm(ANTHROPIC_API_KEY=KEY, LCG_EXTRACTION_LLM=value)


def test_a_gateway_takes_the_place_of_anthropics_address() -> None:
    chosen = llm(ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL="http://127.0.0.1:9/gate/")
    assert chosen.url == "http://127.0.0.1:9/gate/v1/messages"


def test_a_url_chooses_an_openai_compatible_model_whose_name_may_hold_a_colon() -> None:
    chosen = llm(LCG_EXTRACTION_URL=CHAT, LCG_EXTRACTION_MODEL="qwen2.5:7b", LCG_EXTRACTION_API_KEY="token-123")
    assert chosen == LlmSettings("openai", CHAT, ("qwen2.5:7b",), api_key="token-123")
    assert llm(LCG_EXTRACTION_URL=CHAT).models == ("local",)


def test_a_socket_is_asked_at_the_usual_path() -> None:
    chosen = llm(extractor_uds="/run/llm.sock")
    assert (chosen.provider, chosen.url, chosen.uds) == (
        "openai",
        "http://localhost/v1/chat/completions",
        Path("/run/llm.sock"),
    )


def test_the_first_that_is_set_wins() -> None:
    everything = {"LCG_EXTRACTOR": "builtin", "ANTHROPIC_API_KEY": KEY, "LCG_EXTRACTION_URL": CHAT}
    assert read_settings(everything).extractor == "builtin"
    assert llm(**everything, extractor_http="http://h/chat").url == "http://h/chat"
    assert llm(**everything, extractor_uds="s").uds == Path("s")
    assert read_settings(everything | {"LCG_EXTRACTOR": ""}, extractor="builtin").extractor == "builtin"
    del everything["LCG_EXTRACTOR"]
    assert llm(**everything).provider == "anthropic"
    # Anthropic's key never goes to another address.
    assert llm(**everything, extractor_http="http://h/chat").api_key is None


def test_bounds_of_time_and_tokens_are_read() -> None:
    chosen = llm(LCG_EXTRACTION_URL=CHAT, LCG_EXTRACTION_TIMEOUT_MS="250", LCG_EXTRACTION_MAX_TOKENS_CEILING="5000")
    assert (chosen.timeout_s, chosen.max_tokens_ceiling) == (0.25, 5000)


@pytest.mark.parametrize("value", ["4095", "many"])
def test_a_ceiling_that_is_too_low_gets_a_note_and_the_default(value: str) -> None:
    settings = read_settings({"LCG_EXTRACTION_URL": CHAT, "LCG_EXTRACTION_MAX_TOKENS_CEILING": value})
    assert isinstance(settings.extractor, LlmSettings)
    assert settings.extractor.max_tokens_ceiling == 32768
    assert "LCG_EXTRACTION_MAX_TOKENS_CEILING" in settings.notes[0]


@pytest.mark.parametrize("name", ["LCG_EXTRACTION_URL", "ANTHROPIC_BASE_URL", "LCG_DEDUP_ADAPTER_URL"])
def test_half_a_url_is_refused_without_what_it_may_hold_of_a_password(name: str) -> None:
    with pytest.raises(UsageError, match=name) as caught:
        read_settings({name: "ftp://user:hidden@host/x?key=hidden", "ANTHROPIC_API_KEY": KEY, "LCG_DEDUP_LLM": "1"})
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "LCG_EXTRACTION_API_KEY"])
def test_a_key_that_was_copied_wrongly_is_refused_and_not_shown(name: str) -> None:
    with pytest.raises(UsageError, match=name) as caught:
        read_settings({"LCG_EXTRACTION_URL": CHAT, name: "sk-hidden\nx-evil: 1"})
    assert "hidden" not in str(caught.value)


def test_no_representation_shows_a_key() -> None:
    assert KEY not in repr(read_settings({"ANTHROPIC_API_KEY": KEY}))


def test_recording_and_replaying_exclude_each_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LCG_RECORD_LLM", "a")
    monkeypatch.setenv("LCG_REPLAY_LLM", "b")
    assert run([]) == 2
    assert "mutually exclusive" in capsys.readouterr().err


def test_the_adapter_is_asked_only_when_it_is_chosen() -> None:
    assert read_settings({"LCG_DEDUP_ADAPTER_URL": "http://h:1"}).dedup_adapter_url is None
    assert read_settings({"LCG_DEDUP_LLM": "yes"}).dedup_adapter_url == "http://127.0.0.1:8767"
    chosen = read_settings({"GRAPHITI_DEDUP_LLM": "1", "LCG_DEDUP_ADAPTER_URL": "http://h:1"})
    assert chosen.dedup_adapter_url == "http://h:1"


def test_the_files_are_read() -> None:
    chosen = read_settings({"LCG_RECORD_LLM": "a.jsonl", "LIMINIS_LLM_COST_TABLE_PATH": "p.json"})
    assert chosen == Settings(record_llm=Path("a.jsonl"), llm_prices=Path("p.json"))


@pytest.mark.parametrize("digits", ["9" * 12, "9" * 400, "9" * 5_000])
@pytest.mark.parametrize("name", ["LCG_EMBEDDING_TIMEOUT_MS", "LCG_EXTRACTION_TIMEOUT_MS", "LCG_SHUTDOWN_TIMEOUT_MS"])
def test_a_time_that_no_wait_takes_is_refused_with_its_bounds(name: str, digits: str) -> None:
    with pytest.raises(UsageError, match=f"{name} must be an integer of at least 1 and at most 2147483647; got"):
        read_settings(
            {name: digits, "LCG_EMBEDDING_URL": "http://127.0.0.1/e", "LCG_EXTRACTION_URL": "http://127.0.0.1/x"}
        )
    assert read_settings({name: "0002147483647"}) is not None
