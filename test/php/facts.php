<?php

// What PHP's own parsers find in answers. On stdin a JSON list of bodies; on stdout, for each, a JSON list of
// [value, fields], where fields are null or a list of [name, content].

declare(strict_types=1);

function ofXml(string $body): array
{
    $root = simplexml_load_string($body);
    if ($root === false) throw new Exception("not well-formed: $body");
    $facts = [];
    foreach ($root->children() as $tag => $entry) {
        $fields = [];
        foreach ($entry->children() as $name => $content) $fields[] = [$name, (string) $content];
        $facts[] = [$tag === 'Error' ? 'Error' : (string) $entry['Value'], $fields ?: null];
    }
    return $facts;
}

function ofJson(string $body): array
{
    $facts = [];
    foreach (json_decode($body, true, 512, JSON_THROW_ON_ERROR) as $value => $fields) {
        $pairs = [];
        foreach ($fields ?? [] as $name => $content) $pairs[] = [$name, $content];
        $facts[] = [(string) $value, $pairs ?: null];
    }
    return $facts;
}

$facts = [];
foreach (json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR) as $body) {
    $facts[] = str_starts_with($body, '<?xml') ? ofXml($body) : ofJson($body);
}
echo json_encode($facts, JSON_THROW_ON_ERROR);
