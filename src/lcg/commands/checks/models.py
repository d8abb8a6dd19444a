"""Who embeds texts, and who reads them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from lcg.commands.checks.finding import Finding
from lcg.provider_settings import LlmSettings, UnusableFile
from lcg.providers.endpoint import Retry
from lcg.settings import Settings

_PATIENCE_S: Final = 5.0
_EXTRACTORS: Final = "Start it with --extractor builtin, or see `lcg --help` for language models."


def check_served_models(status: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield what the status of a service says of its models."""
    embedding = status.get("embedding")
    if embedding is not None:
        what = f"{embedding['model']}, {embedding['dim']} numbers: {embedding['state']}."
        if embedding["state"] != "ready":
            yield Finding("embedder", "problem", what, "Look whether it runs; until then words alone find rows.")
        elif not embedding["matches"]:
            remedy = "knowledge_build_indices makes the vectors anew with this model."
            yield Finding("embedder", "problem", f"{what} The store has vectors of another model.", remedy)
        else:
            yield Finding("embedder", "ok", what)
    yield _extractor(status["extractor"]["provider"], status["extractor"]["model"])


def check_models(settings: Settings) -> Iterator[Finding]:
    """Try the embedder that the variables choose, and say which extractor they do. Nothing is sent to an extractor."""
    yield from _embedder(settings)
    chosen = settings.extractor
    if settings.replay_llm is not None:
        yield Finding("extractor", "ok", f"Answers that were recorded in {settings.replay_llm}.")
    elif isinstance(chosen, LlmSettings):
        yield _extractor(chosen.provider, " then ".join(chosen.models))
    else:
        yield _extractor(chosen or "none", None)


def _extractor(provider: str, model: str | None) -> Finding:
    if provider == "none":
        return Finding(
            "extractor",
            "note",
            "None: a service does not read texts, `lcg ingest` takes the built-in rules.",
            _EXTRACTORS,
        )
    if provider == "builtin":
        return Finding("extractor", "ok", "The built-in rules.")
    return Finding("extractor", "ok", f"{provider}, {model}. It was not asked, since that costs.")


def _embedder(settings: Settings) -> Iterator[Finding]:
    from lcg.providers.embedder.builtin import BuiltinEmbedder
    from lcg.providers.embedder.protocol import EmbedderError
    from lcg.server.models import open_models
    from lcg.telemetry import Telemetry

    if settings.embedder is None:
        try:
            builtin = BuiltinEmbedder()
            builtin.load()
        except Exception as error:  # whatever it is, there is one remedy
            yield Finding("embedder", "problem", f"The built-in model cannot be loaded: {error}.", "Install lcg anew.")
            return
        yield Finding("embedder", "ok", f"{builtin.model}, built in.")
        return
    chosen = replace(settings.embedder, timeout_s=min(settings.embedder.timeout_s, _PATIENCE_S), retry=Retry(()))
    bare = replace(settings, embedder=chosen, extractor=None, record_llm=None, replay_llm=None, llm_prices=None)
    try:
        models = open_models(bare, Telemetry(enabled=False))
    except UnusableFile as error:
        yield Finding("embedder", "problem", "A file cannot be used.", str(error))
        return
    assert models.embedder is not None
    try:
        models.embedder.probe()
        yield Finding(
            "embedder", "ok", f"{models.embedder.model}, {models.embedder.dim} numbers, at {chosen.uds or chosen.url}."
        )
    except EmbedderError as error:
        yield Finding("embedder", "problem", f"No usable answer from {chosen.uds or chosen.url}.", str(error))
    finally:
        models.close()
