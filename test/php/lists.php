<?php

// The lookup service with other habits of reading lists and arranging entries, as loops and arrays of PHP have them.
// On stdin a JSON object with users, apps and questions, each of settings, event, method, list and format; on stdout a
// JSON list of bodies, null for a refusal.

declare(strict_types=1);

require __DIR__ . '/service.php';

/** @return list<string>|null */
function valuesAs(array $settings, string $list, string $method): ?array
{
    $values = $settings['commas'] ? preg_split('/[:,]/', $list) : explode(':', $list);
    if ($settings['trim']) $values = array_map('trim', $values);
    if ($settings['emptyValues'] === 'drop' || $list === '') $values = array_values(array_filter($values, fn (string $value) => $value !== ''));
    if ($settings['repeatedValues'] === 'once') $values = array_values(array_unique($values));
    if ($settings['malformed'] === 'drop' && $method === 'id') $values = array_values(array_filter($values, fn (string $value) => idAs($settings, $value) !== null));
    if ($values === []) return null;
    if (count($values) <= $settings['maxValues']) return $values;
    return $settings['tooMany'] === 'cut' ? array_slice($values, 0, $settings['maxValues']) : null;
}

/** What an id is read as; null where it is malformed. */
function idAs(array $settings, string $value): int|string|null
{
    return match ($settings['ids']) {
        'digits' => ctype_digit($value) ? (int) $value : null,
        'exact' => ctype_digit($value) ? $value : null,
        'canonical' => preg_match('/^(?:0|[1-9]\d*)$/D', $value) ? (int) $value : null,
        'numeric' => is_numeric($value) ? (int) $value : null,
        'php' => $settings['malformed'] !== 'unknown' && (int) $value < 1 ? null : (int) $value,
    };
}

function findByName(array $settings, array $users, string $name): ?array
{
    foreach ($users as $user) {
        $isSame = match ($settings['usernames']) {
            'exact' => $user['username'] === $name,
            'fold' => usernameKey($user['username']) === usernameKey($name),
            'trailing-blanks' => usernameKey($user['username']) === usernameKey(rtrim($name, ' ')),
        };
        if ($isSame) return $user;
    }
    return null;
}

function answerAs(array $settings, array $question, array $users, array $apps): ?string
{
    ['event' => $event, 'method' => $method, 'list' => $list, 'format' => $format] = $question;
    $values = valuesAs($settings, $list, $method);
    if ($values === null) return null;
    $byId = array_column($event === 'AppLookup' ? $apps : $users, null, 'id');
    $rows = [];
    foreach ($values as $value) {
        $read = $value;
        if ($method === 'id') {
            $id = idAs($settings, $value);
            if ($id === null && $settings['malformed'] === 'refuse') return null;
            $read = $id ?? $value;
            $row = $id === null ? null : ($byId[$id] ?? null);
        } else {
            $row = findByName($settings, $users, $value);
        }
        $stored = $method === 'id' ? $read : ($row['username'] ?? $value);
        $key = match (wordFor($settings['keys'], $method)) {
            'asked' => $value,
            'lower' => strtolower($value),
            'read' => $read,
            'stored' => $stored,
            'id' => $row['id'] ?? $read,
            // Apps have no usernames.
            'username' => $event === 'AppLookup' ? $value : ($row['username'] ?? $read),
        };
        if ($row !== null || $settings['isMissingShown']) $rows[] = [$key, $row];
    }
    usort($rows, fn (array $one, array $other) => compareRows($settings[$event === 'AppLookup' ? 'apps' : 'users'], $one, $other));
    $found = [];
    if ($settings['repeatedValues'] === 'once by entry') {
        foreach ($rows as [$key, $row]) if (!array_key_exists($key, $found)) $found[$key] = $row;
    } elseif ($format === 'XML') {
        return rowsToXml($rows);
    } else {
        foreach ($rows as [$key, $row]) $found[$key] = $row;
    }
    $rows = array_map(null, array_keys($found), array_values($found));
    return $format === 'XML' ? rowsToXml($rows) : rowsToJson($rows);
}

/** @param array{int|string, ?array} $one its name, and its row where there is one */
function compareRows(string $order, array $one, array $other): int
{
    if ($order === 'asked') return 0;
    if ($order === 'name') return strcmp((string) $one[0], (string) $other[0]);
    if ($order === 'ksort') return compareKeys((string) $one[0], (string) $other[0]);
    [$field, $words] = [lcfirst(strtok($order, ' ')), explode(' ', $order)];
    $byId = ($one[1]['id'] ?? INF) <=> ($other[1]['id'] ?? INF);
    if ($one[1] === null || $other[1] === null) return $byId;
    [$first, $second] = [$one[1][$field], $other[1][$field]];
    $sign = in_array('desc', $words, true) ? -1 : 1;
    $compared = is_int($first) ? $first <=> $second : (in_array('nocase', $words, true) ? strcasecmp($first, $second) : strcmp($first, $second));
    return $sign * $compared ?: $byId;
}

/** What ksort() makes of two keys: -1, 0 or 1. */
function compareKeys(string $one, string $other): int
{
    $keys = array_flip([$one, $other]);
    ksort($keys);
    $back = array_flip([$other, $one]);
    ksort($back);
    return array_keys($keys) === array_keys($back) ? ((string) array_key_first($keys) === $one ? -1 : 1) * ($one === $other ? 0 : 1) : 0;
}

/** One word for all methods, and others for single ones. */
function wordFor(string $keys, string $method): string
{
    foreach (explode(',', $keys) as $at => $part) {
        if ($at === 0) $word = $part;
        elseif (str_starts_with($part, "$method=")) $word = substr($part, strlen("$method="));
    }
    return $word;
}

function fieldsOf(?array $row): ?array
{
    if ($row === null) return null;
    $names = ['id', 'username', 'displayName', 'rank', 'joinDate', 'isConfirmed', 'banned'];
    if (isset($row['title'])) $names = ['title', 'version', 'category', 'changelogLink', 'downloadLink'];
    $fields = [];
    foreach ($names as $name) $fields[$name === 'downloadLink' ? 'ServiceDownloadLink' : ucfirst($name)] = $row[$name];
    return $fields;
}

function rowsToJson(array $rows): string
{
    return toJson(array_map(fieldsOf(...), array_column($rows, 1, 0)));
}

function rowsToXml(array $rows): string
{
    if ($rows === []) return toXml([]);
    // One document for each, of which the element is taken: an array cannot have a key twice.
    $data = array_map(fn (array $row) => explode('<ServiceAPI>', toXml([$row[0] => fieldsOf($row[1])]))[1], $rows);
    $elements = str_replace("</ServiceAPI>\n", '', implode('', $data));
    return "<?xml version=\"1.0\"?>\n<ServiceAPI>$elements</ServiceAPI>\n";
}

$input = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
$bodies = [];
foreach ($input['questions'] as $question) {
    $bodies[] = answerAs($question['settings'], $question, $input['users'], $input['apps']);
}
echo json_encode($bodies, JSON_THROW_ON_ERROR);
