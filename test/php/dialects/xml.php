<?php

// Entries → XML, by DOMDocument and by templates.

declare(strict_types=1);

/** The encoding of a DOMDocument that writes letters so. */
const ENCODINGS = [
    'hexadecimal' => '',
    'decimal' => 'US-ASCII',
    'plain' => 'UTF-8',
    'decimal beyond Latin-1' => 'ISO-8859-1',
    // Java's habit; libxml2 has no such encoding.
    'decimal beyond U+FFFF' => 'UTF-8',
];

/** What libxml2 writes for a text, an attribute or a CDATA section, in UTF-8. */
function byLibxml(string $text, string $place, string $letters): string
{
    static $written = [];
    $known = &$written[$letters][$place][$text];
    if ($known !== null) return $known;
    $document = new DOMDocument('1.0', ENCODINGS[$letters]);
    $element = $document->appendChild($document->createElement('a'));
    if ($place === 'value') $element->setAttribute('v', $text);
    elseif ($place === 'section') $element->appendChild($document->createCDATASection($text));
    else $element->appendChild($document->createTextNode($text));
    preg_match($place === 'value' ? '~<a v="(.*)"/>\n$~s' : '~<a>(.*)</a>\n$~s', $document->saveXML(), $match);
    return $known = match ($letters) {
        'decimal beyond Latin-1' => utf8_encode($match[1]),
        // In a section, Java writes plain letters.
        'decimal beyond U+FFFF' => $place === 'section' ? $match[1] : letters($match[1], $letters),
        default => $match[1],
    };
}

/** Letters as a template writes them. */
function letters(string $text, string $letters): string
{
    if ($letters === 'plain') return $text;
    $beyond = match ($letters) {
        'decimal beyond Latin-1' => '/[^\x{0}-\x{ff}]/u',
        'decimal beyond U+FFFF' => '/[^\x{0}-\x{ffff}]/u',
        default => '/[^\x00-\x7f]/u',
    };
    $form = $letters === 'hexadecimal' ? '&#x%X;' : '&#%d;';
    return preg_replace_callback($beyond, fn (array $m) => sprintf($form, codePoint($m[0])), $text);
}

/** A text, or a value of an attribute. */
function xmlEscaped(string $text, string $place, array $xml): string
{
    $text = xmlText($text);
    $form = $xml[$place === 'value' ? 'lettersInValues' : 'lettersInTexts'];
    if ($place === 'text' && $xml['markup'] === 'plain') return letters($text, $form);
    $written = $xml['controls'] === 'references'
        ? byLibxml($text, $place, $form)
        : letters(htmlspecialchars($text, $place === 'value' ? ENT_COMPAT : ENT_NOQUOTES), $form);
    if ($xml['controls'] === 'hexadecimal')
        $written = strtr($written, ["\t" => '&#x9;', "\n" => '&#xA;', "\r" => '&#xD;']);
    if ($place === 'value') $written = str_replace('&quot;', $xml['quotesInValues'], $written);
    elseif ($xml['quotesInTexts'] !== 'plain') $written = str_replace('"', $xml['quotesInTexts'], $written);
    if ($xml['apostrophes'] !== 'plain') return str_replace("'", $xml['apostrophes'], $written);
    // In single quotes, ENT_QUOTES is needed.
    return $place === 'value' && $xml['quotes'] === "'" ? str_replace("'", '&#039;', $written) : $written;
}

/** @return list<array{string, string, bool}> names, contents, and whether these are in a CDATA section */
function xmlFields(array $row, array $d): array
{
    $fields = [];
    foreach (fieldsOf($row) as $name => $content) {
        if (is_bool($content)) {
            $text = match ($d['xml'][$name === 'Banned' ? 'banned' : 'confirmed']) {
                '0 or 1' => (string) (int) $content,
                'empty or 1' => (string) $content,
                'false or true' => $content ? 'true' : 'false',
            };
        } else $text = is_string($content) ? html($content, $d['xml']['html']) : (string) $content;
        $isSection = match (is_string($content) ? $d['cdata'][str_replace('Service', '', $name)] : 'never') {
            'never' => false,
            'always' => true,
            'unless empty' => $text !== '',
            'if needed' => strpbrk($text, '<>&') !== false,
        };
        $fields[] = [$name, $text, $isSection];
    }
    return $fields;
}

function emptyElement(string $start, string $name, string $form): string
{
    return match ($form) {
        '<a/>' => "<$start/>",
        '<a />' => "<$start />",
        '<a></a>' => "<$start></$name>",
    };
}

function writeXml(array $entries, array $d): string
{
    $xml = $d['xml'];
    if (isOfDom($xml, $entries)) return writeByDom($entries, $d);
    ['line' => $line, 'quotes' => $quote] = $xml;
    $before = fn (int $depth) => $line === null ? '' : $line . str_repeat($xml['indent'], $depth);
    $head = $xml['declaration'] . $xml['afterDeclaration'];
    if ($entries === []) {
        $root = $xml['emptyRoot'] === 'on two lines'
            ? '<ServiceAPI>' . ($line ?? "\n") . '</ServiceAPI>'
            : emptyElement('ServiceAPI', 'ServiceAPI', $xml['emptyRoot']);
        return $head . $root . $xml['end'];
    }
    $body = "$head<ServiceAPI>";
    foreach ($entries as [$name, $row]) {
        $start = "Data Value=$quote" . xmlEscaped($name, 'value', $xml) . $quote;
        $body .= $before(1) . "<$start" . ($row === null ? '/>' : '>');
        foreach ($row === null ? [] : xmlFields($row, $d) as [$field, $text, $isSection]) {
            $content = $isSection
                ? byLibxml(xmlText($text), 'section', $xml['lettersInTexts'])
                : xmlEscaped($text, 'text', $xml);
            if ($xml['fieldLines']) $body .= $before(2);
            $body .= $content === ''
                ? emptyElement($field, $field, $xml['emptyFields'])
                : "<$field>$content</$field>";
        }
        if ($row !== null) $body .= ($xml['fieldLines'] ? $before(1) : '') . '</Data>';
    }
    return $body . $before(0) . '</ServiceAPI>' . $xml['end'];
}

/** Whether a DOMDocument writes such a document by itself. */
function isOfDom(array $xml, array $entries): bool
{
    // An entry without fields would be closed like other empty elements.
    $isClosed = $xml['emptyFields'] === '<a/>' || !in_array(null, array_column($entries, 1), true);
    $layout = [$xml['line'], $xml['indent'], $xml['fieldLines']];
    return $isClosed && in_array($layout, [[null, '', true], ["\n", '  ', true]], true)
        && $xml['emptyRoot'] === $xml['emptyFields'] && in_array($xml['emptyRoot'], ['<a/>', '<a></a>'], true)
        && [$xml['afterDeclaration'], $xml['end'], $xml['quotes'], $xml['quotesInTexts']] === ["\n", "\n", '"', 'plain']
        && [$xml['quotesInValues'], $xml['apostrophes'], $xml['markup']] === ['&quot;', 'plain', 'escaped']
        && $xml['controls'] === 'references' && $xml['lettersInTexts'] === $xml['lettersInValues']
        && $xml['lettersInTexts'] !== 'decimal beyond U+FFFF';
}

function writeByDom(array $entries, array $d): string
{
    $encoding = ENCODINGS[$d['xml']['lettersInTexts']];
    $document = new DOMDocument('1.0', $encoding);
    $document->formatOutput = $d['xml']['line'] !== null;
    $root = $document->appendChild($document->createElement('ServiceAPI'));
    foreach ($entries as [$name, $row]) {
        $data = $root->appendChild($document->createElement('Data'));
        $data->setAttribute('Value', xmlText($name));
        foreach ($row === null ? [] : xmlFields($row, $d) as [$field, $text, $isSection]) {
            $element = $data->appendChild($document->createElement($field));
            if ($isSection) $element->appendChild($document->createCDATASection(xmlText($text)));
            elseif ($text !== '') $element->appendChild($document->createTextNode(xmlText($text)));
        }
    }
    $written = $document->saveXML(null, $d['xml']['emptyFields'] === '<a></a>' ? LIBXML_NOEMPTYTAG : 0);
    // The declaration is a text of the dialect, and no choice.
    $written = $d['xml']['declaration'] . substr($written, strpos($written, '?>') + 2);
    return $encoding === 'ISO-8859-1' ? utf8_encode($written) : $written;
}
