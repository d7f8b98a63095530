"""Findings as JSON and as JUnit XML, and what exit code they mean."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree

import mien
from mien.check.result import Finding, Status, count
from mien.engine import machine

FAIL_ON: Final = {
    "failure": (Status.FAILED,),
    "warning": (Status.FAILED, Status.WARNING),
    "never": (),
}


def fails(findings: Sequence[Finding], fail_on: str) -> bool:
    """Return whether the findings are to end a command with an error."""
    return any(finding.status in FAIL_ON[fail_on] for finding in findings)


def to_json(findings: Sequence[Finding], target: str = "this machine") -> str:
    """Return the findings with what they are about."""
    about = {
        "mien": mien.__version__,
        "target": target,
        "system": f"{platform.system()} {platform.release()} {machine.architecture()}",
        "processor": machine.processor(),
        "python": platform.python_version(),
    }
    counted = {str(status): number for status, number in count(findings).items()}
    table = {**about, "counts": counted, "findings": [finding.to_dict() for finding in findings]}
    return json.dumps(table, indent=2, ensure_ascii=False)


def to_junit(findings: Sequence[Finding], fail_on: str) -> bytes:
    """Return the findings as JUnit XML: a suite for each group; what is not run is skipped."""
    suites = ElementTree.Element("testsuites", name="mien check")
    for group in dict.fromkeys(finding.group for finding in findings):
        mine = [finding for finding in findings if finding.group == group]
        failures = sum(finding.status in FAIL_ON[fail_on] for finding in mine)
        skipped = sum(finding.status is Status.NOT_RUN for finding in mine)
        suite = ElementTree.SubElement(
            suites,
            "testsuite",
            name=group,
            tests=str(len(mine)),
            failures=str(failures),
            skipped=str(skipped),
        )
        for finding in mine:
            _case(suite, finding, is_failure=finding.status in FAIL_ON[fail_on])
    ElementTree.indent(suites)
    text: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _case(suite: ElementTree.Element, finding: Finding, *, is_failure: bool) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", classname=finding.group, name=finding.name, time=f"{finding.seconds:.3f}"
    )
    if finding.status is Status.NOT_RUN:
        ElementTree.SubElement(case, "skipped", message=finding.line)
    elif is_failure:
        failure = ElementTree.SubElement(case, "failure", message=finding.line, type=str(finding.status))
        failure.text = f"tried: {finding.tried}\n{finding.evidence}\ndo: {finding.remedy}"
    else:
        told = ElementTree.SubElement(case, "system-out")
        told.text = f"{finding.status}: {finding.line}"
