"""Records in handler-permissions.json what CloudFormation's handlers call for each resource type of the stack.

The registry's schemas say so, and cfn-lint carries them:

    python3 -m venv /tmp/cfn-lint && /tmp/cfn-lint/bin/pip install cfn-lint
    /tmp/cfn-lint/bin/python test/infra/handler-permissions.py [AWS::New::Type ...]
"""

import datetime
import json
import pathlib
import sys
from importlib.metadata import version

import cfnlint

REGION = "us-east-1"
# The handler `list` is left out: no deploy calls it.
HANDLERS = ("create", "read", "update", "delete")

record = pathlib.Path(__file__).with_suffix(".json")
schemas = pathlib.Path(cfnlint.__file__).parent / "data/schemas"
files = json.loads((schemas / f"providers/{REGION}.json").read_text())


def permissions(resource_type):
    schema = json.loads((schemas / f"resources/{files[resource_type]}.json").read_text())
    return sorted({action for name in HANDLERS for action in schema["handlers"].get(name, {}).get("permissions", [])})


types = {*json.loads(record.read_text())["types"], *sys.argv[1:]} if record.exists() else set(sys.argv[1:])
made = {
    "source": f"cfn-lint {version('cfn-lint')} (PyPI): CloudFormation's registry schemas of {REGION}",
    "schemasOf": json.loads((schemas / "version.json").read_text())["schema_date"],
    "recordedOn": datetime.date.today().isoformat(),
    "madeBy": f"{pathlib.Path(__file__).name}, whose first lines say how",
    "types": {name: " ".join(permissions(name)) for name in sorted(types)},
}
record.write_text(json.dumps(made, indent=2) + "\n")
