# Writes answers in JSON and XML with Python's own libraries, with the input and output of test/php/write-xml.php; for
# json.dumps, `how` are its arguments and `end`.

import base64
import io
import json
import re
import sys
import xml.etree.ElementTree as Tree
from xml.dom import minidom


def carried(text):
    return re.sub('[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]', '\ufffd', text)


def text_of(name, content):
    if isinstance(content, bool):
        return '1' if content else '0' if name == 'IsConfirmed' else ''
    return carried(str(content))


def write(answer, how):
    root = Tree.Element('ServiceAPI')
    for value, fields in answer:
        data = Tree.SubElement(root, 'Data', Value=carried(value))
        for name, content in fields or []:
            Tree.SubElement(data, name).text = text_of(name, content)
    if how.get('indented'):
        Tree.indent(root)
    if 'encoding' not in how:
        return Tree.tostring(root)
    out = io.BytesIO()
    Tree.ElementTree(root).write(out, encoding=how['encoding'], xml_declaration=True)
    return out.getvalue()


def by_minidom(answer, how):
    document = minidom.Document()
    root = document.appendChild(document.createElement('ServiceAPI'))
    for value, fields in answer:
        data = root.appendChild(document.createElement('Data'))
        data.setAttribute('Value', carried(value))
        for name, content in fields or []:
            element = data.appendChild(document.createElement(name))
            text = text_of(name, content)
            if text:
                element.appendChild(document.createTextNode(text))
    if 'indent' in how:
        return document.toprettyxml(indent=how['indent'], encoding=how.get('encoding'))
    return document.toxml(encoding=how.get('encoding'))


def dumps(answer, how):
    end = how.pop('end', '')
    return json.dumps({value: fields and dict(fields) for value, fields in answer}, **how) + end


def to_bytes(xml):
    return xml.encode() if isinstance(xml, str) else xml


WAYS = {'ElementTree': write, 'minidom': by_minidom, 'json.dumps': dumps}
written = [to_bytes(WAYS[by](answer, how)) for by, how, answer in json.load(sys.stdin)]
print(json.dumps([base64.b64encode(one).decode() for one in written]))
