# Answers as a service in Python writes them. On stdin a JSON list of [whether beyond ASCII stays as it is, whether
# indented, answer], the answer a list of [value, fields]; on stdout a JSON list of texts in base64.

import base64
import json
import sys


def written(unicode, indented, answer):
    found = {value: None if fields is None else dict(fields) for value, fields in answer}
    text = json.dumps(found, ensure_ascii=not unicode, indent=4 if indented else None)
    return base64.b64encode(text.encode()).decode()


json.dump([written(*one) for one in json.load(sys.stdin)], sys.stdout)
