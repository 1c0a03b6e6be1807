<?php

// Answers every request of test/cases/cases.jsonl with the old service, and writes the file with these responses:
//   php test/php/generate.php [FILE]
// into FILE if there is one.

declare(strict_types=1);

require __DIR__ . '/service.php';

$folder = dirname(__DIR__) . '/cases';
$users = load("$folder/users.jsonl");
$apps = load("$folder/apps.jsonl");

$lines = '';
foreach (load("$folder/cases.jsonl") as $case) {
    $query = substr($case['request'], strpos($case['request'], '?') + 1);
    $case['response'] = answer($query, $users, $apps);
    if (isset($case['xml'])) $case['xml'] = answer("$query&Format=XML", $users, $apps);
    $lines .= json_encode($case, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE) . "\n";
}
file_put_contents($argv[1] ?? "$folder/cases.jsonl", $lines);
