# What Python's own parsers find in answers. On stdin a JSON list of bodies; on stdout, for each, a JSON list of
# [value, fields], where fields are null or a list of [name, content].

import json
import sys
import xml.etree.ElementTree as ElementTree


def of_xml(body):
    return [
        [
            "Error" if entry.tag == "Error" else entry.attrib["Value"],
            [[field.tag, field.text or ""] for field in entry] or None,
        ]
        for entry in ElementTree.fromstring(body)
    ]


def of_json(body):
    pairs = json.loads(body, object_pairs_hook=lambda members: [list(member) for member in members])
    return [[value, fields or None] for value, fields in pairs]


bodies = json.load(sys.stdin)
json.dump([of_xml(body) if body.startswith("<?xml") else of_json(body) for body in bodies], sys.stdout)
