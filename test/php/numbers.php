<?php

// What PHP makes of texts. On stdin a JSON list of texts; on stdout, for each, its cast to int as text, whether it is
// numeric, what trim leaves of it, and what json_encode writes with JSON_NUMERIC_CHECK.

declare(strict_types=1);

$texts = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
$read = array_map(fn (string $text) => [(string) (int) $text, is_numeric($text), trim($text), json_encode($text, JSON_NUMERIC_CHECK)], $texts);
echo json_encode($read, JSON_THROW_ON_ERROR);
