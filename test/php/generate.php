<?php

// Answers every request of test/cases with the old service, and writes the answers down:
//   php test/php/generate.php [FOLDER]
// into test/cases/NAME/response, or into FOLDER/NAME where a folder is given.

declare(strict_types=1);

require __DIR__ . '/service.php';

$cases = dirname(__DIR__) . '/cases';
$users = load("$cases/users.jsonl");
$apps = load("$cases/apps.jsonl");

foreach (glob("$cases/*/request") as $file) {
    $name = basename(dirname($file));
    $target = rtrim(file_get_contents($file), "\n");
    $query = substr($target, strpos($target, '?') + 1);
    $response = isset($argv[1]) ? "$argv[1]/$name" : "$cases/$name/response";
    file_put_contents($response, answer($query, $users, $apps));
}
