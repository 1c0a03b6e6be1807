<?php

// The old service with every choice of the dialect, each as PHP's own functions do it. On stdin a JSON object with
// users, apps, maxValues and jobs, each of a dialect and queries; on stdout a JSON list with a list for each job, of
// [status, type, body in base64], or null where ksort() finds no order. Three rules are the contract's and not PHP's:
// which fault of a request is named first, the largest id, and U+FFFD for what XML cannot carry.

declare(strict_types=1);

require __DIR__ . '/service.php';
foreach (['requests', 'entries', 'texts', 'json', 'xml'] as $part) require __DIR__ . "/dialects/$part.php";

// utf8_decode() is deprecated, but old services call it.
error_reporting(E_ALL & ~E_DEPRECATED);

/** @return array{int, string, string} */
function respond(array $d, string $query, array $data): array
{
    $format = null;
    try {
        $request = readRequest($d['read'], $d['chatMethod'], $query, $data['maxValues'], $format);
        $entries = arrange($d, $request, lookUp($d['read'], $request, $data));
        $body = $format === 'xml' ? writeXml($entries, $d) : writeJson($entries, $d['json']);
        return [200, $d[$format]['type'], inCharset($body, $d[$format]['charset'])];
    } catch (Refused $refused) {
        return refuse($d, $refused, $format ?? 'json');
    }
}

/** @return array{int, string, string} */
function refuse(array $d, Refused $refused, string $format): array
{
    ['status' => $status, 'type' => $type, 'body' => $body] = $d['errors']['replies'][$refused->kind][$format];
    $value = $refused->value;
    if ($format === 'json') {
        $flags = jsonFlags($d['json']) & ~JSON_NUMERIC_CHECK;
        $written = match ($d['errors']['valuesInJson']) {
            'as texts' => jsonEscaped(substr(json_encode($value, $flags), 1, -1), $d['json']),
            'escaped' => substr(json_encode($value), 1, -1),
            'plain' => $value,
        };
    } else {
        // Unlike PHP, the gateway never has a client's markup in XML, because browsers run its scripts.
        $xml = ['markup' => 'escaped'] + $d['xml'];
        $written = match ($d['errors']['valuesInXml']) {
            'as texts' => xmlEscaped($value, 'text', $xml),
            'letters plain' => xmlEscaped($value, 'text', ['lettersInTexts' => 'plain'] + $xml),
            'plain' => htmlspecialchars($value),
        };
    }
    return [$status, $type, inCharset(str_replace('{value}', $written, $body), $d['errors']['charset'])];
}

$input = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
['users' => $users, 'apps' => $apps] = $input;
$data = [
    'maxValues' => $input['maxValues'],
    'byId' => ['users' => array_column($users, null, 'id'), 'apps' => array_column($apps, null, 'id')],
    'byName' => array_combine(array_map(fn (array $user) => usernameKey($user['username']), $users), $users),
    'byChat' => array_column(array_filter($users, fn (array $user) => $user['chatId'] !== null), null, 'chatId'),
];
$responses = [];
foreach ($input['jobs'] as ['dialect' => $dialect, 'queries' => $queries]) {
    $responses[] = array_map(function (string $query) use ($dialect, $data) {
        try {
            [$status, $type, $body] = respond($dialect, $query, $data);
            return [$status, $type, base64_encode($body)];
        } catch (Unordered) {
            return null;
        }
    }, $queries);
}
echo json_encode($responses, JSON_THROW_ON_ERROR);
