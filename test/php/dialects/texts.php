<?php

// Texts of JSON and of XML.

declare(strict_types=1);

/** What a template does with a text before it is written. */
function html(string $text, string $html): string
{
    return match ($html) {
        'plain' => $text,
        'escaped' => htmlspecialchars($text),
        'escaped, but apostrophes' => htmlspecialchars($text, ENT_COMPAT),
    };
}

/** @param string $body in UTF-8 */
function inCharset(string $body, string $charset): string
{
    return match ($charset) {
        'utf-8' => $body,
        'iso-8859-1' => utf8_decode($body),
        'windows-1252' => preg_replace_callback('/[^\x00-\x7f]/u', fn ($m) => inWindows1252($m[0]), $body),
    };
}

/** What mb_convert_encoding() makes of a letter: it passes on the five bytes without a letter. iconv() does not. */
function inWindows1252(string $letter): string
{
    $isUndefined = in_array($letter, ["\u{81}", "\u{8d}", "\u{8f}", "\u{90}", "\u{9d}"], true);
    return $isUndefined ? $letter[1] : (@iconv('UTF-8', 'CP1252', $letter) ?: '?');
}

function codePoint(string $letter): int
{
    return unpack('N', iconv('UTF-8', 'UCS-4BE', $letter))[1];
}
