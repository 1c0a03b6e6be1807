<?php

// What a request asks for → rows, and entries in their order.

declare(strict_types=1);

class Unordered extends Exception
{
}

/** @return list<?array> a row for each value */
function lookUp(array $read, array $request, array $data): array
{
    ['subject' => $subject, 'method' => $method, 'values' => $values] = $request;
    $find = match ($method) {
        // Keys of arrays are integers where they are written as such; 007 is not.
        'id' => fn (string $value) => $data['byId'][$subject][readId($read, $value) ?? ''] ?? null,
        'username' => function (string $value) use ($read, $data) {
            if ($read['usernames'] === 'without blanks at the end') $value = rtrim($value, ' ');
            $row = $data['byName'][usernameKey($value)] ?? null;
            $isSame = match ($row === null ? 'folded' : $read['usernames']) {
                'exact' => $row['username'] === $value,
                'A to Z folded' => strcasecmp($row['username'], $value) === 0,
                default => true,
            };
            return $isSame ? $row : null;
        },
        'chat' => fn (string $value) => $data['byChat'][$value] ?? null,
        'unknown' => fn () => null,
    };
    $rows = array_map($find, $values);
    $missing = array_search(null, $rows, true);
    if ($missing !== false && $read['missing'] === 'refuse')
        throw new Refused($subject === 'users' ? 'missingUser' : 'missingApp', $values[$missing]);
    return $rows;
}

function entryName(array $d, array $request, string $value, ?array $row): string
{
    ['subject' => $subject, 'method' => $method] = $request;
    if ($method === 'unknown') return $value;
    $read = $method === 'id' ? (string) (readId($d['read'], $value) ?? $value) : $value;
    return (string) match ($d['entries'][['id' => 'ids', 'username' => 'usernames', 'chat' => 'chats'][$method]]) {
        'asked' => $value,
        'lower' => strtolower($value),
        'read' => $read,
        'stored' => $row['username'] ?? $value,
        'id' => $row['id'] ?? $value,
        // Apps have no usernames.
        'username' => $subject === 'apps' ? $value : ($row['username'] ?? $read),
    };
}

/** @return list<array{string, ?array}> names and rows */
function arrange(array $d, array $request, array $rows): array
{
    ['subject' => $subject, 'values' => $values] = $request;
    $entries = array_map(
        fn (string $value, ?array $row) => [entryName($d, $request, $value, $row), $row],
        $values,
        $rows,
    );
    // An entry that is left out is not in the array.
    if ($d['missing'][$subject]['json'] === null)
        $entries = array_values(array_filter($entries, fn (array $entry) => $entry[1] !== null));
    $entries = sorted($entries, $d['entries'][$subject]);
    $isOnce = $d['read']['repeatedValues'] === 'once by entry';
    if ($request['format'] === 'xml' && !$isOnce) return $entries;
    $found = [];
    foreach ($entries as [$name, $row]) if (!$isOnce || !array_key_exists($name, $found)) $found[$name] = $row;
    return array_map(fn (int|string $name, ?array $row) => [(string) $name, $row], array_keys($found), $found);
}

function sorted(array $entries, string $order): array
{
    if ($order === 'asked') return $entries;
    if ($order === 'name' || $order === 'name as number') {
        $byName = [];
        foreach ($entries as $entry) $byName[$entry[0]][] = $entry;
        if ($order === 'name') ksort($byName, SORT_STRING);
        elseif (isOrdered(array_map('strval', array_keys($byName)))) ksort($byName);
        else throw new Unordered();
        return array_merge(...array_values($byName));
    }
    [$field, $isDown] = [preg_split('/,? /', $order)[0], str_ends_with($order, ' desc')];
    // `<=>` would compare texts as numbers where they are.
    $compare = match (true) {
        in_array($field, ['id', 'rank', 'joinDate', 'category'], true) => fn (int $one, int $other) => $one <=> $other,
        str_contains($order, 'no case') => 'strcasecmp',
        default => 'strcmp',
    };
    usort($entries, function (array $one, array $other) use ($field, $isDown, $compare) {
        // Missing entries come last, and equal ones in the order of their ids, as from a database.
        [[, $first], [, $second]] = [$one, $other];
        if ($first === null || $second === null) return ($first === null) <=> ($second === null);
        return ($isDown ? -1 : 1) * $compare($first[$field], $second[$field]) ?: $first['id'] <=> $second['id'];
    });
    return $entries;
}

/** To ksort(), 0x1A is before 2, 2 before 007, and 007 before 0x1A: such names have no order. */
function isOrdered(array $names): bool
{
    $texts = array_filter($names, fn (string $name) => !is_numeric($name));
    if (count($texts) === count($names)) return true;
    return array_filter($texts, fn (string $name) => $name !== '' && $name[0] <= '9') === [];
}

/** Fields of a row by their names. */
function fieldsOf(array $row): array
{
    $fields = [];
    foreach ($row as $name => $content)
        if (isset($row['title']) ? $name !== 'id' : $name !== 'chatId')
            $fields[$name === 'downloadLink' ? 'ServiceDownloadLink' : ucfirst($name)] = $content;
    return $fields;
}
