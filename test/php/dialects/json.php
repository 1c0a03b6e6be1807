<?php

// Entries → JSON, by json_encode().

declare(strict_types=1);

function jsonFlags(array $json): int
{
    return JSON_THROW_ON_ERROR
        | ($json['lists'] === 'objects' ? JSON_FORCE_OBJECT : 0)
        | ($json['slashes'] === 'plain' ? JSON_UNESCAPED_SLASHES : 0)
        | ($json['letters'] === 'escaped' ? 0 : JSON_UNESCAPED_UNICODE)
        | ($json['lineSeparators'] === 'plain' ? JSON_UNESCAPED_LINE_TERMINATORS : 0)
        | ($json['tags'] === 'ESCAPED' ? JSON_HEX_TAG : 0)
        | ($json['ampersands'] === 'escaped' ? JSON_HEX_AMP : 0)
        | ($json['apostrophes'] === 'escaped' ? JSON_HEX_APOS : 0)
        | ($json['quotes'] === 'escaped' ? JSON_HEX_QUOT : 0)
        | ($json['numericTexts'] === 'number' ? JSON_NUMERIC_CHECK : 0);
}

/** What json_encode() has no flag for, in a text. */
function jsonEscaped(string $written, array $json): string
{
    if ($json['tags'] === 'escaped') $written = str_replace(['<', '>'], ['\u003c', '\u003e'], $written);
    if ($json['equalsSigns'] === 'escaped') $written = str_replace('=', '\u003d', $written);
    if ($json['plusSigns'] === 'escaped') $written = str_replace(['+', '`'], ['\u002B', '\u0060'], $written);
    if ($json['delete'] === 'escaped') $written = str_replace("\x7f", '\u007f', $written);
    if ($json['letters'] !== 'ESCAPED') return $written;
    $units = fn (string $letter) => str_split(strtoupper(bin2hex(iconv('UTF-8', 'UTF-16BE', $letter))), 4);
    return preg_replace_callback('/[^\x00-\x7f]/u', fn (array $m) => '\u' . implode('\u', $units($m[0])), $written);
}

function writeJson(array $entries, array $json): string
{
    $found = [];
    foreach ($entries as [$name, $row]) {
        $found[$name] = $row === null ? null : [];
        foreach ($row === null ? [] : fieldsOf($row) as $field => $content)
            $found[$name][$field] = jsonValue($field, $content, $json);
    }
    if ($json['entries'] === 'by name') ksort($found, SORT_STRING);
    $flags = jsonFlags($json);
    $layout = [$json['indent'], $json['comma'], $json['colon']];
    $written = match (true) {
        $layout === [null, ',', ':'] => json_encode($found, $flags),
        $layout === ['    ', ',', ': '] => json_encode($found, $flags | JSON_PRETTY_PRINT),
        default => layOut($found, $json, $flags, 1),
    };
    // A number such as 1.0e+25 has a sign that stays.
    $texts = '/"(?:[^"\\\\]++|\\\\.)*+"/';
    return preg_replace_callback($texts, fn (array $m) => jsonEscaped($m[0], $json), $written) . $json['end'];
}

function jsonValue(string $field, string|int|bool $content, array $json): mixed
{
    if (is_int($content)) return $json[$field === 'Id' ? 'ids' : 'numbers'] === 'text' ? (string) $content : $content;
    if (is_bool($content)) {
        return match ($json[$field === 'Banned' ? 'banned' : 'confirmed']) {
            'boolean' => $content,
            'number' => (int) $content,
            'text' => (string) (int) $content,
            'text or empty' => (string) $content,
        };
    }
    $text = html($content, $json['html']);
    return $text === '' && $json['emptyTexts'] === 'null' ? null : $text;
}

/** Brackets and separators by hand, as in a template; json_encode() writes what is between them. */
function layOut(mixed $value, array $json, int $flags, int $depth): string
{
    if (!is_array($value)) return json_encode($value, $flags);
    $isList = array_is_list($value) && !($flags & JSON_FORCE_OBJECT);
    [$open, $close] = $isList ? ['[', ']'] : ['{', '}'];
    if ($value === []) return $open . $close;
    $line = fn (int $depth) => $json['indent'] === null ? '' : "\n" . str_repeat($json['indent'], $depth);
    $members = [];
    foreach ($value as $name => $member) {
        $start = $isList ? '' : json_encode((string) $name, $flags & ~JSON_NUMERIC_CHECK) . $json['colon'];
        $members[] = $line($depth) . $start . layOut($member, $json, $flags, $depth + 1);
    }
    return $open . implode($json['comma'], $members) . $line($depth - 1) . $close;
}
