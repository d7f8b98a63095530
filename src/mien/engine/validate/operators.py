"""Versions, domains and operators: does ONNX know them, and do the nodes fit their definition?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import onnx
from onnx import ModelProto, NodeProto, defs

from mien.engine.validate.finding import Finding, error, warning
from mien.engine.validate.names import label, subgraphs, walk

_ONNX: Final = ("", "ai.onnx")
# Domains that ONNX Runtime itself implements; their operators are known when it loads the model.
_RUNTIME: Final = frozenset(
    ("com.microsoft", "com.microsoft.nchwc", "com.microsoft.experimental", "com.ms.internal.nhwc")
)
_IDLE: Final = frozenset(("ai.onnx.training", "org.pytorch.aten"))
_OLDEST: Final = 7  # ONNX Runtime gives no guarantee below this operator set


def check_operators(model: ModelProto) -> Iterator[Finding]:
    """Yield what is wrong with the versions and with each kind of node, once for each kind."""
    yield from _check_versions(model)
    opsets = {_plain(opset.domain): opset.version for opset in model.opset_import}
    local = {(_plain(function.domain), function.name) for function in model.functions}
    seen: dict[tuple[str, str, str], tuple[Finding, int]] = {}
    for node in _all_nodes(model):
        for finding in _check_node(node, opsets, local):
            key = (finding.code, node.domain, node.op_type)
            first, times = seen.get(key, (finding, 0))
            seen[key] = (first, times + 1)
    for finding, times in seen.values():
        more = f" (and {times - 1:,} more such nodes)" if times > 1 else ""
        yield Finding(finding.code, finding.severity, finding.node, finding.message + more, finding.remedy)


def _all_nodes(model: ModelProto) -> Iterator[NodeProto]:
    yield from walk(model.graph)
    for function in model.functions:
        for node in function.node:
            yield node
            for inner in subgraphs(node):
                yield from walk(inner)


def _plain(domain: str) -> str:
    return "" if domain in _ONNX else domain


def _check_versions(model: ModelProto) -> Iterator[Finding]:
    newest = onnx.IR_VERSION
    if not 1 <= model.ir_version <= newest:
        message = f"the file states IR version {model.ir_version}; valid: 1 to {newest}"
        yield error("ir-version", message, "export again, or update onnx")
    versions: dict[str, int] = {}
    for opset in model.opset_import:
        domain = _plain(opset.domain)
        if versions.setdefault(domain, opset.version) != opset.version:
            message = f"operator set {domain or 'ai.onnx'!r} is stated twice, with two versions"
            yield error("opset-twice", message, "export again with one version")
    if not model.opset_import:
        yield error("no-opset", "the file states no operator set", "export again with opset_version=17 or so")
    last = defs.onnx_opset_version()
    version = versions.get("", last)
    if not 1 <= version <= last:
        message = f"the file states operator set {version}; valid: 1 to {last}"
        yield error("opset-range", message, "export again with a valid opset_version, or update onnx")
    elif version < _OLDEST:
        message = f"operator set {version} is older than {_OLDEST}, the first that is stable"
        yield warning("opset-old", message, "convert with onnx.version_converter")


def _check_node(node: NodeProto, opsets: dict[str, int], local: set[tuple[str, str]]) -> Iterator[Finding]:
    domain = _plain(node.domain)
    if (domain, node.op_type) in local or domain in _RUNTIME:
        return
    name = f"{domain or 'ai.onnx'}::{node.op_type}"
    if domain not in opsets:
        message = f"{name} belongs to a domain that the file does not import"
        yield error("domain-not-imported", message, "add the domain to opset_import", label(node))
    elif domain and domain not in _known_domains():
        message = f"{name} is of a domain that ONNX Runtime does not have"
        remedy = "export with standard operators, or add a function with this name to the model"
        yield error("unknown-domain", message, remedy, label(node))
    else:
        yield from _check_schema(node, name, domain, opsets[domain])


def _known_domains() -> frozenset[str]:
    return frozenset(schema.domain for schema in defs.get_all_schemas()) | _IDLE


def _check_schema(node: NodeProto, name: str, domain: str, version: int) -> Iterator[Finding]:
    try:
        schema = defs.get_schema(node.op_type, version, domain)
    except defs.SchemaError:
        since = _since(node.op_type, domain)
        why = f"it came with {since}" if since else "no version has it"
        remedy = f"export with opset_version {since} or later" if since else "export with standard operators"
        yield error("unknown-operator", f"operator set {version} has no {name}; {why}", remedy, label(node))
        return
    if schema.deprecated:
        message = f"{name} was withdrawn with operator set {schema.since_version}"
        yield error("withdrawn-operator", message, "export again with newer operators", label(node))
        return
    yield from _check_arity(node, name, schema)
    given = {attribute.name for attribute in node.attribute}
    for key, attribute in schema.attributes.items():
        if attribute.required and key not in given:
            message = f"{name} lacks its attribute {key!r}"
            yield error("missing-attribute", message, "export again", label(node))


def _check_arity(node: NodeProto, name: str, schema: defs.OpSchema) -> Iterator[Finding]:
    for what, count, least, most in (
        ("inputs", len(node.input), schema.min_input, schema.max_input),
        ("outputs", len(node.output), schema.min_output, schema.max_output),
    ):
        if not least <= count <= most:
            span = f"{least}" if least == most else f"{least} to {most}"
            message = f"{name} has {count} {what}; valid: {span}"
            yield error("wrong-arity", message, "export again", label(node))


def _since(op_type: str, domain: str) -> int:
    """Return the first version with an operator, 0 when there is none."""
    versions = [
        schema.since_version
        for schema in defs.get_all_schemas_with_history()
        if (schema.name, schema.domain) == (op_type, domain)
    ]
    return min(versions, default=0)
