<?php

// How the service reads its parameters, where it was written otherwise than with $_GET and in exact case.

declare(strict_types=1);

/** What $_GET is, to the rest of the service. */
function readParameters(array $switches): array
{
    $names = ['Event', 'Format', 'MethodOfAccessingUserInformation', 'Users', 'Apps'];
    $read = [];
    foreach (explode('&', $_SERVER['QUERY_STRING'] ?? '') as $part) {
        [$name, $value] = array_map('urldecode', explode('=', $part, 2) + ['', '']);
        if (in_array('parameters', $switches['anyCase'], true)) $name = asDeclared($name, $names);
        if (isset($read[$name]) && $switches['repeated'] === 'refuse') throw new Refusal('Given twice');
        if (!isset($read[$name]) || $switches['repeated'] === 'last') $read[$name] = $value;
    }
    $values = [
        'events' => ['Event', ['ProfileLookup', 'AppLookup']],
        'methods' => ['MethodOfAccessingUserInformation', ['id', 'username', $switches['chatMethod']]],
        'formats' => ['Format', ['JSON', 'XML']],
    ];
    foreach ($values as $kind => [$name, $known])
        if (isset($read[$name]) && in_array($kind, $switches['anyCase'], true)) $read[$name] = asDeclared($read[$name], $known);
    $format = $read['Format'] ?? 'JSON';
    if ($switches['otherFormat'] === 'refuse' && !in_array($format, ['', 'JSON', 'json', 'XML'], true)) throw new Refusal('Unknown format');
    if ($switches['otherFormat'] === 'xml' && $format !== 'JSON') $read['Format'] = 'XML';
    return $read;
}

function asDeclared(string $text, array $known): string
{
    foreach ($known as $one) if (strcasecmp($one, $text) === 0) return $one;
    return $text;
}

/** Whether a list without values is an error, as it is checked with empty(), with isset(), or not at all. */
function refusesNoValues(?string $list, array $switches): bool
{
    return match ($switches['noValues']) {
        'refuse' => true,
        'refuse-empty' => empty($list),
        'refuse-missing' => !isset($list),
        'empty' => false,
    };
}

if ($switches['paths'] !== [] && !in_array(strtok($_SERVER['REQUEST_URI'], '?'), $switches['paths'], true)) {
    http_response_code(404);
    exit("<h1>Not Found</h1>\n");
}
