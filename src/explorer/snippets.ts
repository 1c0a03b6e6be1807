// The same request in the languages that old and new clients are written in.

export interface Snippet {
  readonly language: string
  readonly code: string
}

/** @param url with nothing in it that would have to be escaped in any of these languages (`queryWithin`) */
export function snippetsFor(url: string, format: 'JSON' | 'XML'): Snippet[] {
  const json = format === 'JSON'
  return [
    { language: 'curl', code: `curl '${url}'` },
    {
      language: 'PHP',
      code: `<?php
$context = stream_context_create(['http' => ['ignore_errors' => true]]);
$body = file_get_contents('${url}', false, $context);
print_r(${json ? 'json_decode($body, true)' : 'simplexml_load_string($body)'});`,
    },
    {
      language: 'Python',
      code: json
        ? `import json
from urllib.request import urlopen

with urlopen('${url}') as response:
    print(json.load(response))`
        : `import xml.etree.ElementTree as ElementTree
from urllib.request import urlopen

with urlopen('${url}') as response:
    for data in ElementTree.parse(response).getroot():
        print(data.attrib, {field.tag: field.text for field in data})`,
    },
    {
      language: 'C#',
      code: json
        ? `using System.Text.Json;

using var client = new HttpClient();
var body = await client.GetStringAsync("${url}");
using var answer = JsonDocument.Parse(body);
Console.WriteLine(answer.RootElement);`
        : `using System.Xml.Linq;

using var client = new HttpClient();
var body = await client.GetStringAsync("${url}");
Console.WriteLine(XDocument.Parse(body));`,
    },
    {
      language: 'JavaScript',
      code: json
        ? `const response = await fetch('${url}')
console.log(await response.json())`
        : `const response = await fetch('${url}')
const body = await response.text()
console.log(new DOMParser().parseFromString(body, 'application/xml'))`,
    },
  ]
}
