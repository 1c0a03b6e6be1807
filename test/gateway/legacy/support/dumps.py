# Answers as a service in Python writes them. On stdin a JSON list of [arguments of json.dumps, what comes after it,
# answer], the answer a list of [value, fields]; on stdout a JSON list of texts in base64.

import base64
import json
import sys


def written(arguments, end, answer):
    found = {value: None if fields is None else dict(fields) for value, fields in answer}
    text = json.dumps(found, **arguments) + end
    return base64.b64encode(text.encode()).decode()


json.dump([written(*one) for one in json.load(sys.stdin)], sys.stdout)
