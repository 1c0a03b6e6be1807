// The same request in the languages that old and new clients are written in. Each shows a refusal, too.

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
      code: `import ${json ? 'json' : 'xml.etree.ElementTree as ElementTree'}
from urllib.error import HTTPError
from urllib.request import urlopen

try:
    with urlopen('${url}') as response:
        ${json ? 'print(json.load(response))' : 'ElementTree.dump(ElementTree.parse(response))'}
except HTTPError as refusal:
    print(refusal.read().decode())`,
    },
    {
      language: 'C#',
      code: `${json ? 'using System.Text.Json;' : 'using System.Xml.Linq;'}

using var client = new HttpClient();
using var response = await client.GetAsync("${url}");
var body = await response.Content.ReadAsStringAsync();
Console.WriteLine(${json ? 'JsonDocument.Parse(body).RootElement' : 'XDocument.Parse(body)'});`,
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
