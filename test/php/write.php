<?php

// Writes many answers in one process, for test/gateway/legacy/formats/php.test.ts. On stdin a JSON list of answers, each
// a list of [value, fields], where fields are null or a list of [name, content]: lists, so that no order and no
// key can be lost on the way. On stdout a JSON list of [JSON, XML].

declare(strict_types=1);

require __DIR__ . '/service.php';

$answers = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
$written = [];
foreach ($answers as $answer) {
    $found = [];
    foreach ($answer as [$value, $fields]) {
        $found[$value] = $fields === null ? null : array_column($fields, 1, 0);
    }
    $written[] = [toJson($found), toXml($found)];
}
echo json_encode($written, JSON_THROW_ON_ERROR);
