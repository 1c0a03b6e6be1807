<?php

// Writes answers in JSON as old services with other habits do. On stdin a JSON list of [by, habits, answer], each answer
// a list of [value, fields], where fields are null or a list of [name, content]. On stdout a JSON list of texts in
// base64: not all of them are ASCII.

declare(strict_types=1);

$written = [];
foreach (json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR) as [, $habits, $answer]) {
    $found = [];
    foreach ($answer as [$value, $fields]) {
        $entry = $fields === null ? missing($value, $habits) : array_map(fn (array $field) => content($field[0], $field[1], $habits), array_column($fields, null, 0));
        if ($entry !== 'omitted') $found[$value] = $entry;
    }
    $written[] = base64_encode(write($found, $habits));
}
echo json_encode($written, JSON_THROW_ON_ERROR);

/** What the service has in the place of a row. */
function missing(string $value, array $habits): mixed
{
    // Where the text is nothing but the value, it may be a number.
    $text = str_replace('{value}', $value, $habits['text']);
    return match ($habits['unknown']) {
        'omit' => 'omitted',
        'null' => null,
        'false' => false,
        '{}' => new stdClass(),
        '[]' => [],
        'nulls' => array_fill_keys($habits['fields'], null),
        'error' => ['Error' => $text],
        '{"Error":{"Code":404,"At":"é/<","No":"007","Message":"{message}"}}' => ['Error' => ['Code' => 404, 'At' => 'é/<', 'No' => '007', 'Message' => $text]],
        default => array_combine($habits['fields'], array_map(fn (string $name) => castNull($name, $habits), $habits['fields'])),
    };
}

/** What becomes of a column of a row that is not there, where the service casts such columns. */
function castNull(string $name, array $habits): mixed
{
    $type = $habits['types'][$name];
    $isCast = $habits['unknown'] === 'zeros' || str_contains($habits['unknown'], ['integer' => '+0', 'boolean' => '+false', 'string' => '+""'][$type]);
    if (!$isCast) return null;
    return content($name, match ($type) { 'integer' => (int) null, 'string' => (string) null, 'boolean' => (bool) null }, $habits);
}

/** A column, as the driver or the service passes it on. */
function content(string $name, string|int|bool $content, array $habits): string|int|bool
{
    if (is_int($content) && isText($name, $habits['numbers'])) return strval($content);
    if (is_string($content)) {
        return match (strtok($habits['textEscapes'], '-')) {
            'none' => $content,
            'html' => htmlspecialchars($content),
            'compat' => htmlspecialchars($content, ENT_COMPAT),
        };
    }
    if (!is_bool($content)) return $content;
    // One for both, or one for each.
    $forms = explode(',', $habits['booleans']);
    return match ($name === 'Banned' ? end($forms) : $forms[0]) {
        'boolean' => $content,
        'integer' => (int) $content,
        'string' => strval((int) $content),
        'strval' => strval($content),
    };
}

/** Whether a column of numbers comes as text: one word for all, and others for single fields. */
function isText(string $name, string $numbers): bool
{
    foreach (array_reverse(explode(',', $numbers)) as $part) {
        if (!str_contains($part, '=')) return $part === 'string';
        if (str_starts_with($part, "$name=")) return str_ends_with($part, '=string');
    }
}

function write(array $found, array $habits): string
{
    $flags = JSON_THROW_ON_ERROR;
    foreach ($habits['flags'] as $flag) $flags |= ['pretty' => JSON_PRETTY_PRINT, 'unescaped-unicode' => JSON_UNESCAPED_UNICODE, 'unescaped-slashes' => JSON_UNESCAPED_SLASHES, 'hex-tag' => JSON_HEX_TAG, 'hex-amp' => JSON_HEX_AMP, 'hex-apos' => JSON_HEX_APOS, 'hex-quot' => JSON_HEX_QUOT, 'numeric-check' => JSON_NUMERIC_CHECK][$flag] ?? 0;
    // An empty array is a list, unless it is made an object; so is one whose keys are 0, 1, 2 and so on.
    $json = json_encode($habits['empty'] === '[]' ? $found : ($found === [] ? ['{}' => new stdClass(), 'null' => null][$habits['empty']] : (object) $found), $flags);
    return $json . (in_array('newline', $habits['flags'], true) ? "\n" : '');
}
