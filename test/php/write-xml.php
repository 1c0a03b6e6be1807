<?php

// Writes answers in XML as old services do. On stdin a JSON list of [by, how, answer], each answer a list of
// [value, fields], where fields are null or a list of [name, content]. On stdout a JSON list of the documents
// in Base64.

declare(strict_types=1);

// What XML 1.0 cannot carry becomes U+FFFD here, as in service.php.
function xmlText(string $text): string
{
    return preg_replace('/[\x00-\x08\x0b\x0c\x0e-\x1f\x{fffe}\x{ffff}]/u', "\u{fffd}", $text);
}

/** @return array{string, string, bool} */
function texts(array $field): array
{
    [$name, $content] = $field;
    $isText = is_string($content);
    if ($name === 'IsConfirmed' && is_bool($content)) $content = (int) $content;
    $text = xmlText((string) $content);
    $flags = $GLOBALS['escaped'] ?? null;
    return [$name, $flags === null ? $text : htmlspecialchars($text, $flags), $isText];
}

const ERROR = 'No entry matches {value}.';

/** As services write arrays: whatever is no array is cast. */
function addMembers(DOMElement $parent, array $members): void
{
    foreach ($members as $name => $member) {
        $element = $parent->appendChild($parent->ownerDocument->createElement($name));
        if (is_array($member)) addMembers($element, $member);
        elseif ((string) $member !== '') $element->appendChild($parent->ownerDocument->createTextNode((string) $member));
    }
}

function bySimpleXml(array $answer, array $how): string
{
    $root = new SimpleXMLElement(($how['declaration'] ?? '') . '<ServiceAPI/>');
    foreach ($answer as [$value, $fields]) {
        $data = $root->addChild('Data');
        $data->addAttribute('Value', xmlText($value));
        foreach ($fields ?? [] as $field) {
            [$name, $text] = texts($field);
            if ($how['assigned'] ?? false) $data->{$name} = $text;
            else {
                $child = $data->addChild($name);
                $child[0] = $text;
            }
        }
    }
    return $root->asXML();
}

/** Whether a text gets a CDATA section: each, or one that is not empty, or one that would have to be escaped. */
function isSection(string $name, string $text, bool $isText, array $how): bool
{
    if (!($how['cdata'] ?? false) || !$isText || in_array($name, $how['except'] ?? [], true)) return false;
    if ($how['needed'] ?? false) return preg_match('/[<>&]/', $text) === 1;
    return $text !== '' || !($how['filled'] ?? false);
}

function byDom(array $answer, array $how): string
{
    $document = isset($how['encoding']) ? new DOMDocument('1.0', $how['encoding']) : new DOMDocument('1.0');
    $document->formatOutput = $how['indented'] ?? false;
    $root = $document->appendChild($document->createElement('ServiceAPI'));
    if (isset($how['version'])) $root->setAttribute('version', $how['version']);
    foreach ($answer as [$value, $fields]) {
        $data = $root->appendChild($document->createElement('Data'));
        $data->setAttribute('Value', xmlText($value));
        if ($fields === null && ($how['error'] ?? false)) {
            $message = xmlText(str_replace('{value}', $value, ERROR));
            $object = ['Error' => ['Code' => 404, 'Fatal' => false, 'Message' => $message], 'by' => 'é'];
            addMembers($data, ($how['object'] ?? false) ? $object : ['Error' => $message]);
        }
        foreach ($fields ?? [] as $field) {
            [$name, $text, $isText] = texts($field);
            $element = $data->appendChild($document->createElement($name));
            if (isSection($name, $text, $isText, $how)) $element->appendChild($document->createCDATASection($text));
            elseif ($text !== '' || ($how['textNodes'] ?? false)) $element->appendChild($document->createTextNode($text));
        }
    }
    $options = ($how['noEmptyTag'] ?? false) ? LIBXML_NOEMPTYTAG : 0;
    return ($how['node'] ?? false) ? $document->saveXML($root, $options) : $document->saveXML(null, $options);
}

function byXmlWriter(array $answer, array $how): string
{
    $writer = new XMLWriter();
    $writer->openMemory();
    if (isset($how['indent'])) {
        $writer->setIndent(true);
        $writer->setIndentString($how['indent']);
    }
    $writer->startDocument('1.0', 'UTF-8');
    $writer->startElement('ServiceAPI');
    foreach ($answer as [$value, $fields]) {
        $writer->startElement('Data');
        $writer->writeAttribute('Value', xmlText($value));
        foreach ($fields ?? [] as $field) {
            [$name, $text] = texts($field);
            $writer->writeElement($name, $text);
        }
        $writer->endElement();
    }
    $writer->endElement();
    $writer->endDocument();
    return $writer->outputMemory();
}

function plainly(array $answer, array $how): string
{
    $escape = fn (string $text) => htmlspecialchars($text, $how['flags'] ?? ENT_QUOTES);
    [$line, $indent] = [$how['line'] ?? '', $how['indent'] ?? ''];
    // Where attributes stand in single quotes, a careful service escapes those in them, whatever it does in text.
    $quote = $how['quote'] ?? '"';
    $inValue = fn (string $text) => $quote === "'" ? htmlspecialchars($text, ($how['flags'] ?? 0) & ENT_XML1 | ENT_QUOTES) : $escape($text);
    $xml = ($how['declaration'] ?? '<?xml version="1.0" encoding="UTF-8"?>' . "\n") . '<ServiceAPI>';
    foreach ($answer as [$value, $fields]) {
        $xml .= "$line$indent<Data Value=$quote" . $inValue(xmlText($value)) . $quote;
        if ($fields === null) {
            $xml .= ($how['closed'] ?? false) ? '/>' : '></Data>';
            continue;
        }
        $xml .= '>';
        foreach ($fields as $field) {
            [$name, $text, $isText] = texts($field);
            $content = isSection($name, $text, $isText, $how)
                ? '<![CDATA[' . str_replace(']]>', ']]]]><![CDATA[>', $text) . ']]>'
                : (($how['needed'] ?? false) && $isText && !in_array($name, $how['except'] ?? [], true) ? $text : $escape($text));
            if (!($how['inline'] ?? false)) $xml .= "$line$indent$indent";
            $xml .= "<$name>$content</$name>";
        }
        if (!($how['inline'] ?? false)) $xml .= "$line$indent";
        $xml .= '</Data>';
    }
    return $xml . ($answer === [] && !($how['lined'] ?? false) ? '' : $line) . '</ServiceAPI>' . ($how['end'] ?? '');
}

const WAYS = ['simplexml' => 'bySimpleXml', 'dom' => 'byDom', 'xmlwriter' => 'byXmlWriter', 'plain' => 'plainly'];

$written = [];
foreach (json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR) as [$by, $how, $answer]) {
    $escaped = $how['escaped'] ?? null;
    $written[] = base64_encode(WAYS[$by]($answer, $how));
}
echo json_encode($written);
