"""Opening the language model that the settings name, or the cassette that stands in for one."""

import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lcg.provider_settings import LlmSettings
from lcg.providers.endpoint import plain_url
from lcg.settings import Settings
from lcg.telemetry import Telemetry

if TYPE_CHECKING:
    from lcg.providers.llm.client import Dialect, LlmClient
    from lcg.providers.llm.exchange import Exchange

_log = logging.getLogger(__name__)
_REMEDIES = {
    "anthropic": "Look at ANTHROPIC_API_KEY, LCG_EXTRACTION_LLM and the network; `--extractor builtin` needs neither.",
    "openai": "Look whether it runs and whether address, LCG_EXTRACTION_MODEL and LCG_EXTRACTION_API_KEY are right; "
    "`--extractor builtin` needs none of them.",
}


def open_llm(settings: Settings, telemetry: Telemetry) -> "LlmClient | None":
    """Return the language model of a workspace, or None when it has none. Nothing is sent yet.

    Raises:
        CassetteError: a cassette cannot be used.
        PricesError: the table of prices cannot be used.
    """
    if settings.replay_llm is not None:
        if settings.extractor is not None:
            _log.warning("LCG_REPLAY_LLM is set, so no extractor is asked: answers come from %s", settings.replay_llm)
        return _replaying(settings, settings.replay_llm, telemetry)
    wanted = settings.extractor
    if isinstance(wanted, LlmSettings):
        _log.info("extractor: provider=%s, endpoint=%s", wanted.provider, wanted.uds or plain_url(wanted.url))
        return _client(settings, wanted, _live(settings, wanted), telemetry)
    if settings.record_llm is not None:
        _log.warning("LCG_RECORD_LLM is set, but no language model extracts: nothing is recorded")
    return None


def _client(settings: Settings, wanted: LlmSettings, exchange: "Exchange", telemetry: Telemetry) -> "LlmClient":
    from lcg.providers.llm.client import LlmClient
    from lcg.providers.llm.prices import read_prices

    return LlmClient(
        _dialect(wanted),
        exchange,
        wanted.models,
        ceiling=wanted.max_tokens_ceiling,
        telemetry=telemetry,
        prices=read_prices(settings.llm_prices),
    )


def _dialect(wanted: LlmSettings) -> "Dialect":
    from lcg.providers.llm.anthropic import AnthropicDialect
    from lcg.providers.llm.openai import OpenAiDialect

    return AnthropicDialect() if wanted.provider == "anthropic" else OpenAiDialect()


def _live(settings: Settings, wanted: LlmSettings) -> "Exchange":
    from lcg.providers.endpoint import Endpoint
    from lcg.providers.http import JsonClient
    from lcg.providers.llm.anthropic import API_VERSION
    from lcg.providers.llm.cassette import CassetteFile
    from lcg.providers.llm.exchange import LiveExchange
    from lcg.providers.llm.taping import Failures, RecordingExchange

    anthropic = wanted.provider == "anthropic"
    endpoint = Endpoint(
        f"{wanted.provider} extractor",
        wanted.url,
        _REMEDIES[wanted.provider],
        uds=str(wanted.uds) if wanted.uds else None,
        bearer=None if anthropic else wanted.api_key,
        headers={"x-api-key": wanted.api_key or "", "anthropic-version": API_VERSION} if anthropic else {},
        timeout_s=wanted.timeout_s,
        retry=wanted.retry,
    )
    live = LiveExchange(JsonClient(endpoint))
    if settings.record_llm is None:
        return live
    secrets = (wanted.api_key,) if wanted.api_key else ()
    return RecordingExchange(live, CassetteFile(settings.record_llm, secrets), Failures(settings.record_llm, secrets))


def _replaying(settings: Settings, path: Path, telemetry: Telemetry) -> "LlmClient":
    from lcg.providers.llm.cassette import CassetteError, read_cassette
    from lcg.providers.llm.taping import ReplayExchange

    recorded = read_cassette(path)
    if not recorded:
        raise CassetteError(f"The cassette {path} is empty. Record one with LCG_RECORD_LLM.")
    first = next(iter(recorded.values()))
    if any(answer.provider != first.provider for answer in recorded.values()):
        raise CassetteError(f"The cassette {path} holds answers of both providers. Record one for each.")
    # Rows say which provider and model they came from, so a replay names those that answered then.
    stand_in = LlmSettings(first.provider, "http://localhost", (first.model,))
    if isinstance(settings.extractor, LlmSettings):
        stand_in = replace(stand_in, max_tokens_ceiling=settings.extractor.max_tokens_ceiling)
    return _client(settings, stand_in, ReplayExchange(path, recorded), telemetry)
