"""The second gate: rules about meaning. The table says what each demands and why; one function stands behind each."""

from codegen.agents import AgentTexts
from codegen.configuration import Configuration
from codegen.findings import Finding
from codegen.model import Registry
from codegen.rules import agents, answers, config, identity, parameters, texts
from codegen.rules.agents import AgentSpec
from codegen.rules.base import Rule, Spec
from codegen.rules.config import ConfigSpec
from codegen.yamlload import Document

RULES: tuple[Rule[Spec], ...] = (
    Rule("method-name", "names are unique, as Python names too", "a name finds one handler", identity.method_names),
    Rule("method-title", "titles are unique", "clients show them side by side", identity.titles),
    Rule("method-class", "class names are unique", "generated classes share a module", identity.python_classes),
    Rule("category-exists", "a category is declared", "it names the handler module", identity.categories_exist),
    Rule("category-used", "a category is used", "an empty page misleads", identity.categories_used),
    Rule("category-order", "methods follow their categories", "the file reads like the pages", identity.category_order),
    Rule("scope-exists", "scopes and profiles are declared", "a typing error hides a tool", identity.scopes_exist),
    Rule(
        "scope-exposure", "exactly MCP tools have a scope", "scopes decide what is seen", identity.scope_fits_exposure
    ),
    Rule("profile-most", "a profile keeps to its size", "clients cap their lists", identity.profiles_small),
    Rule("hints-agree", "hints agree with each other and the scope", "clients act on them", identity.hints_agree),
    Rule("deprecated-target", "the way out exists", "a reader follows it", identity.deprecated_targets),
    Rule("param-name", "names can be attributes", "params become a class", parameters.parameter_names),
    Rule("group-rule", "a rule can be carried out", "the decoder has one helper each", parameters.group_rules_known),
    Rule("group-by-hand", "no entry for the group parameter", "its meaning has one source", parameters.group_by_hand),
    Rule("group-parameter", "renamed only where there is one", "else it is a mistake", parameters.group_parameter),
    Rule("param-default", "a default is legal", "a client sends it back", parameters.defaults),
    Rule("param-bounds", "bounds leave room", "else no value is legal", parameters.bounds),
    Rule("param-enum", "words are plain", "they are compared exactly", parameters.enums),
    Rule("confirm-parameter", "confirm is a boolean parameter", "the refusal prints it", parameters.confirmations),
    Rule("field-name", "keys are no keywords", "results become classes", answers.field_names),
    Rule("record-exists", "a record is declared before use", "classes are read in order", answers.records_exist),
    Rule("record-warning", "warnings have a record", "every result may carry them", answers.warnings_typed),
    Rule("result-count", "collections are counted", "clients rely on `count`", answers.collections_counted),
    Rule("result-failure", "a failure fits the output schema", "clients check failures too", answers.failure_fits),
    Rule("error-kind", "an error kind is declared", "programs rely on a closed set", answers.error_kinds_exist),
    Rule("error-code", "codes are unique", "a code has one meaning", answers.error_codes_unique),
    Rule("example-call", "an example is a legal call", "people copy it", answers.example_calls),
    Rule("example-result", "an example's result is declared", "people believe it", answers.example_results),
    Rule("progress-facts", "progress is for long writes", "clients wait differently", answers.progress_facts),
    Rule("text-tracker", "no issue numbers or links", "texts outlive them", texts.no_tracker_talk),
    Rule("text-tool-name", "named tools exist", "agents call them", texts.tool_names_exist),
    Rule("text-group", "groups are explained by the rule", "two texts drift apart", texts.groups_not_by_hand),
    Rule("text-length", "descriptions are short", "agents pay for each character", texts.description_length),
    Rule("portable-schema", "schemas are portable", "clients refuse the whole list", texts.portable_schemas),
    Rule("budget", "tools/list is small", "it is in every conversation", texts.budgets),
)

CONFIG_RULES: tuple[Rule[ConfigSpec], ...] = (
    Rule("config-mode", "each mode has a flag, one has none", "the flag decides what starts", config.modes_chosen),
    Rule("config-mode-exists", "a mode is declared", "a typing error refuses a flag", config.modes_exist),
    Rule("config-available", "a flag works somewhere", "help would promise too much", config.available_modes),
    Rule("config-exclusive", "sets are of flags or of variables", "the refusal names them", config.exclusive_sets),
    Rule("config-beats", "a variable that is beaten exists", "readers look it up", config.beaten_variables),
    Rule("config-short", "short forms are unique", "a letter has one meaning", config.short_forms),
    Rule("config-flag-default", "a flag's default is legal", "people write it out", config.flag_defaults),
    Rule("config-default", "a variable's default is legal", "the program starts with it", config.variable_defaults),
    Rule("config-bounds", "bounds leave room", "else no value is legal", config.variable_bounds),
    Rule("config-topic", "variables follow their topics", "the file reads like the page", config.topics_in_order),
    Rule("config-old-name", "only the prefix was another", "a note sends people to the new one", config.old_names),
    Rule("config-exit", "a status has one meaning", "scripts go by it", config.exit_statuses),
    Rule("config-text", "texts name what exists", "people type it", config.config_texts),
    Rule("config-registry", "the registry's flags exist", "agents ask for them", config.registry_names),
)

AGENT_RULES: tuple[Rule[AgentSpec], ...] = (
    Rule("agents-tracker", "no issue numbers or links", "texts outlive them", agents.no_tracker_talk),
    Rule("agents-tool", "named tools exist", "agents call them", agents.tools_exist),
    Rule("agents-instructions", "short, and they explain the scopes", "clients cut them", agents.instructions_short),
    Rule("agents-resource", "a resource shows what there is", "clients read it unasked", agents.resources_look),
    Rule("agents-argument", "arguments are declared and used", "people fill them in", agents.prompt_arguments),
)


def run(registry: Registry, document: Document) -> list[Finding]:
    """Apply every rule and return all that they find."""
    spec = Spec(registry, document)
    return [
        document.finding(path, rule.id, message, hint) for rule in RULES for path, message, hint in rule.check(spec)
    ]


def run_config(configuration: Configuration, document: Document, registry: Registry) -> list[Finding]:
    """Apply every rule about flags and variables and return all that they find."""
    spec = ConfigSpec(configuration, document, registry)
    return [
        document.finding(path, rule.id, message, hint)
        for rule in CONFIG_RULES
        for path, message, hint in rule.check(spec)
    ]


def run_agents(texts_for_agents: AgentTexts, document: Document, registry: Registry) -> list[Finding]:
    """Apply every rule about what agents are told and return all that they find."""
    spec = AgentSpec(texts_for_agents, document, registry)
    return [
        document.finding(path, rule.id, message, hint)
        for rule in AGENT_RULES
        for path, message, hint in rule.check(spec)
    ]
