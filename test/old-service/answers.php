<?php

declare(strict_types=1);

/** Sends what was found, or an error, in the format that was asked for. */
function answer(array $found, array $switches): void
{
    $xml = ($_GET['Format'] ?? '') === 'XML';
    if (array_filter($found, fn (mixed $fields) => $fields !== null) === []) {
        if ($switches['nothing'] === 'silent') exit;
        if ($switches['nothing'] === 'error') throw new Refusal('Nobody at all');
    }
    if ($switches['escaped'] === 'both' || ($switches['escaped'] === 'json' && !$xml)) $found = array_map(escaped(...), $found);
    $body = $xml ? toXml($found, $switches) : toJson($found, $switches);
    header('Content-Type: ' . ($xml ? 'text/xml' : 'application/json'));
    if (!$switches['cutting']) {
        echo $body;
        return;
    }
    header('Content-Length: ' . strlen($body));
    echo substr($body, 0, intdiv(strlen($body), 2));
    flush();
}

function escaped(mixed $fields): mixed
{
    if (!is_array($fields)) return $fields;
    return array_map(fn (mixed $field) => is_string($field) ? htmlspecialchars($field) : $field, $fields);
}

function toJson(array $found, array $switches): string
{
    // What is empty by itself is no list to its clients; what is empty within is, in some services.
    $flags = $switches['unknown'] === 'list' ? 0 : JSON_FORCE_OBJECT;
    $flags |= ($switches['pretty'] ? JSON_PRETTY_PRINT : 0) | ($switches['numericCheck'] ? JSON_NUMERIC_CHECK : 0);
    if ($switches['nothing'] === 'null') {
        foreach ($found as $value => $fields) $result[$value] = $fields;
        return json_encode(@$result, $flags);
    }
    return json_encode((object) $found, $flags | JSON_THROW_ON_ERROR);
}

function toXml(array $found, array $switches): string
{
    $document = new DOMDocument();
    $document->formatOutput = $switches['pretty'];
    $root = $document->appendChild($document->createElement($switches['serviceName'] . 'API'));
    foreach ($found as $value => $fields) {
        if ($value === 'error' && is_string($fields)) {
            $root->appendChild($document->createElement('Error'))->textContent = $fields;
            continue;
        }
        $data = $root->appendChild($document->createElement('Data'));
        $data->setAttribute('Value', (string) $value);
        foreach ($fields ?? [] as $name => $field) {
            // false becomes an empty text, as ever in PHP; but for IsConfirmed, which was changed to 0 at some time.
            $text = $name === 'IsConfirmed' ? (string) (int) $field : (string) $field;
            $element = $data->appendChild($document->createElement($name));
            if ($text !== '') $element->appendChild($document->createTextNode($text));
        }
    }
    return $switches['xmlDeclaration'] ? $document->saveXML() : $document->saveXML($root) . "\n";
}
