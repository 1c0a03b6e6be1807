# Answers in JSON as a service in Python writes them. On stdin a JSON list of [by, how, answer], where `how` are the
# arguments of json.dumps and `end`; each answer is a list of [value, fields]. On stdout a JSON list in base64.

import base64
import json
import sys


def written(_, how, answer):
    found = {value: None if fields is None else dict(fields) for value, fields in answer}
    end = how.pop("end", "")
    text = json.dumps(found, **how) + end
    return base64.b64encode(text.encode()).decode()


json.dump([written(*one) for one in json.load(sys.stdin)], sys.stdout)
