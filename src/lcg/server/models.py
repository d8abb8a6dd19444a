"""The models that read texts, embed them and decide about names, as the settings choose them."""

from dataclasses import dataclass

from lcg.providers.classifier.protocol import Classifier
from lcg.providers.dedup.adapter import AdapterJudge
from lcg.providers.embedder.remote import RemoteEmbedder
from lcg.providers.endpoint import Endpoint, Retry
from lcg.providers.extractor.protocol import Extractor
from lcg.providers.http import JsonClient
from lcg.server.language_model import open_llm
from lcg.services.embedding import Embedding
from lcg.settings import Settings
from lcg.telemetry import Telemetry

_EMBEDDER_REMEDY = (
    "Look whether it runs and serves OpenAI-compatible embeddings there (--embedder-uds, --embedder-http, "
    "LCG_EMBEDDING_URL; LCG_EMBEDDING_MODEL, LCG_EMBEDDING_API_KEY). Rows without a vector get theirs when it is back."
)
_JUDGE_REMEDY = "Look whether it runs there (LCG_DEDUP_ADAPTER_URL), or unset LCG_DEDUP_LLM."
_JUDGE_RETRY = Retry(delays_s=(0.5,))
"""A text waits for it, and can do without."""


@dataclass(frozen=True, slots=True)
class Models:
    """What reads texts, and what decides whether names of one are names that are stored; None: nobody does.

    Without a remote embedder the built-in one serves.
    """

    extractor: Extractor | None
    judge: AdapterJudge | None
    embedder: RemoteEmbedder | None = None

    def classifier(self, embedding: Embedding) -> Classifier | None:
        """Return what chooses types for stored rows: it comes with the extractor."""
        if self.extractor is None:
            return None
        if self.extractor.provider == "builtin":
            from lcg.providers.classifier.builtin import BuiltinClassifier

            return BuiltinClassifier(embedding.vectors)
        from lcg.providers.classifier.llm import LlmClassifier
        from lcg.providers.extractor.llm import LlmExtractor

        assert isinstance(self.extractor, LlmExtractor)
        return LlmClassifier(self.extractor.client)

    def close(self) -> None:
        """Give up what is on its way to a provider. Safe to call twice."""
        if self.embedder is not None:
            self.embedder.close()
        if self.judge is not None:
            self.judge.close()
        if self.extractor is not None and self.extractor.provider != "builtin":
            from lcg.providers.extractor.llm import LlmExtractor

            assert isinstance(self.extractor, LlmExtractor)
            self.extractor.client.close()


def open_models(settings: Settings, telemetry: Telemetry) -> Models:
    """Return the models that the settings choose. Nothing is sent yet.

    Raises:
        CassetteError, PricesError: a file that the settings name cannot be used.
    """
    judge = None
    if settings.dedup_adapter_url is not None:
        endpoint = Endpoint("dedup adapter", settings.dedup_adapter_url, _JUDGE_REMEDY, retry=_JUDGE_RETRY)
        judge = AdapterJudge(JsonClient(endpoint))
    return Models(_extractor(settings, telemetry), judge, _embedder(settings))


def _embedder(settings: Settings) -> RemoteEmbedder | None:
    chosen = settings.embedder
    if chosen is None:
        return None
    endpoint = Endpoint(
        "embedder",
        chosen.url,
        _EMBEDDER_REMEDY,
        uds=str(chosen.uds) if chosen.uds else None,
        bearer=chosen.api_key,
        timeout_s=chosen.timeout_s,
        retry=chosen.retry,
    )
    return RemoteEmbedder(JsonClient(endpoint), chosen.model, chosen.dim)


def _extractor(settings: Settings, telemetry: Telemetry) -> Extractor | None:
    client = open_llm(settings, telemetry)
    if client is not None:
        from lcg.providers.extractor.llm import LlmExtractor

        return LlmExtractor(client)
    if settings.extractor is None:
        return None
    from lcg.providers.extractor.rules.extractor import RuleExtractor

    return RuleExtractor()
