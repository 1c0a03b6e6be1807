<?php

// A query string → what it asks for, by the choices of the group read.

declare(strict_types=1);

const METHOD = 'MethodOfAccessingUserInformation';

class Refused extends Exception
{
    public function __construct(public string $kind, public string $value = '')
    {
        parent::__construct($kind);
    }
}

/** A parameter; null where it is absent. $_GET has the last value of each name. */
function parameter(array $read, string $query, string $name): ?string
{
    if ($read['repeated'] === 'last') {
        parse_str($query, $get);
        if ($read['names'] === 'exact') return $get[$name] ?? null;
        return array_change_key_case($get)[strtolower($name)] ?? null;
    }
    $values = [];
    foreach (explode('&', $query) as $part) {
        [$given, $value] = array_map('urldecode', explode('=', $part, 2)) + [1 => ''];
        $isSame = $read['names'] === 'exact' ? $given === $name : strcasecmp($given, $name) === 0;
        if ($isSame) $values[] = $value;
    }
    if (count($values) > 1 && $read['repeated'] === 'refuse') throw new Refused('repeated');
    return $values[0] ?? null;
}

function isWord(string $compared, string $given, string $word): bool
{
    return $compared === 'exact' ? $given === $word : strcasecmp($given, $word) === 0;
}

function readFormat(array $read, ?string $given): string
{
    if ($given === null) return 'json';
    if ($given === '') return $read['emptyFormat'];
    if (isWord($read['formats'], $given, 'XML')) return 'xml';
    if ($read['json'] !== 'other' && isWord($read['json'], $given, 'JSON')) return 'json';
    return $read['otherFormat'];
}

function readSubject(array $read, ?string $given): string
{
    if (isWord($read['events'], $given ?? '', 'ProfileLookup')) return 'users';
    if (isWord($read['events'], $given ?? '', 'AppLookup')) return 'apps';
    $kind = $given === null ? 'noEvent' : ($given === '' ? 'emptyEvent' : 'otherEvent');
    if ($read[$kind] === 'refuse') throw new Refused($kind, $given ?? '');
    return $read[$kind];
}

function readMethod(array $read, string $chatMethod, ?string $given): string
{
    if ($given === null) return 'id';
    foreach (['id' => 'id', 'username' => 'username', $chatMethod => 'chat'] as $word => $method)
        if (isWord($read['methods'], $given, (string) $word)) return $method;
    $kind = $given === '' ? 'emptyMethod' : 'otherMethod';
    if ($read[$kind] === 'refuse') throw new Refused($kind, $given);
    return $read[$kind];
}

/** @param ?string $format is set as soon as it is known, because a refusal has it, too */
function readRequest(array $read, string $chatMethod, string $query, int $most, ?string &$format): array
{
    // A refusal of a repeated Format has the format that comes first.
    $first = parameter(['repeated' => $read['repeated'] === 'last' ? 'last' : 'first'] + $read, $query, 'Format');
    $known = readFormat($read, $first);
    $format = $known === 'refuse' ? 'json' : $known;
    $given = parameter($read, $query, 'Format');
    if ($known === 'refuse') throw new Refused('otherFormat', $given ?? '');
    $subject = readSubject($read, parameter($read, $query, 'Event'));
    $word = $subject === 'apps' ? null : parameter($read, $query, METHOD);
    $list = parameter($read, $query, ucfirst($subject));
    if ($read['zero'] === 'empty list' && $list !== null && empty($list)) $list = '';
    $method = readMethod($read, $chatMethod, $word);
    $values = $given = readList($read, $list ?? '');
    $malformed = $subject === 'users' ? 'malformedUser' : 'malformedApp';
    if ($read['malformed'] === 'drop' && $method === 'id')
        $values = array_values(array_filter($given, fn (string $value) => readId($read, $value) !== null));
    // What a service says after it has dropped all values is recorded as its response to a word as an id.
    if ($values === [] && $given !== []) throw new Refused($malformed, $given[0]);
    $kind = $list === null ? 'no' : ($list === '' ? 'empty' : 'blank');
    if ($values === []) throw new Refused($kind . ucfirst($subject));
    if (count($values) > $most && $read['tooMany'] === 'refuse') throw new Refused('tooMany', (string) $most);
    $values = array_slice($values, 0, $most);
    if ($read['malformed'] === 'refuse' && $method === 'id')
        foreach ($values as $value)
            if (readId($read, $value) === null) throw new Refused($malformed, $value);
    return ['subject' => $subject, 'method' => $method, 'values' => $values, 'format' => $format];
}

/** @return list<string> */
function readList(array $read, string $list): array
{
    if ($list === '') return [];
    $values = $read['commas'] ? preg_split('/[:,]/', $list) : explode(':', $list);
    // The split of Java, Perl and Ruby does this by itself, before a service can trim what it returns.
    if ($read['emptyValues'] === 'drop at the end') while (end($values) === '') array_pop($values);
    if ($read['trim']) $values = array_map('trim', $values);
    if ($read['emptyValues'] === 'drop') $values = array_filter($values, 'strlen');
    if ($read['repeatedValues'] === 'once') $values = array_unique($values);
    return array_values($values);
}

/** What an id is read as; null where it is malformed. */
function readId(array $read, string $value): int|string|null
{
    $isId = ctype_digit($value) && isWithin($value, $read['largestId']);
    return match ($read['ids']) {
        'digits' => $isId ? plainDigits($value) : null,
        'exact' => $isId ? $value : null,
        'no leading zeros' => $isId && plainDigits($value) === $value ? $value : null,
        'from 1' => $isId && plainDigits($value) === $value && $value > 0 ? $value : null,
        'signed' => readSigned($value, $read['largestId']),
        'signed, with blanks' => readSigned(trim($value), $read['largestId']),
        'numeric' => is_numeric($value) ? (int) $value : null,
        // A service that refuses casts checks their results.
        'cast' => $read['malformed'] === 'unknown' || (int) $value > 0 ? (int) $value : null,
    };
}

/** FILTER_VALIDATE_INT knows no 007. */
function readSigned(string $value, string $largest): ?string
{
    if (preg_match('/^([+-]?)([0-9]+)$/D', $value, $parts) !== 1 || !isWithin($parts[2], $largest)) return null;
    $digits = plainDigits($parts[2]);
    return $parts[1] === '-' && $digits !== '0' ? "-$digits" : $digits;
}

/** Without zeros before them: an int would not hold them all. */
function plainDigits(string $digits): string
{
    $plain = ltrim($digits, '0');
    return $plain === '' ? '0' : $plain;
}

function isWithin(string $digits, string $largest): bool
{
    return $largest === 'none' || strnatcmp(plainDigits($digits), $largest) <= 0;
}
