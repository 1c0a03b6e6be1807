<?php

// The service as a careful PHP engineer writes it: one query per request, json_encode and SimpleXML.

declare(strict_types=1);

$ids = explode(':', $_GET['Users'] ?? '');
if (($_GET['Event'] ?? '') !== 'ProfileLookup' || array_filter($ids, 'ctype_digit') !== $ids) {
    http_response_code(400);
    exit('{"Error":{"Code":"BadRequest","Message":"This cannot be looked up."}}');
}

$database = new PDO($_SERVER['DSN'], null, null, [PDO::ATTR_PERSISTENT => true]);
$columns = 'id AS Id, username AS Username, display_name AS DisplayName, rank AS Rank, join_date AS JoinDate,
    is_confirmed AS IsConfirmed, banned AS Banned';
$slots = implode(',', array_fill(0, count($ids), '?'));
$statement = $database->prepare("SELECT $columns FROM users WHERE id IN ($slots)");
$statement->execute($ids);
$found = array_column($statement->fetchAll(PDO::FETCH_ASSOC), null, 'Id');

$profiles = [];
foreach ($ids as $id) {
    $profile = $found[(int) $id] ?? null;
    if ($profile === null) continue;
    foreach (['IsConfirmed', 'Banned'] as $flag) $profile[$flag] = (bool) $profile[$flag];
    $profiles[$id] = $profile;
}

if (($_GET['Format'] ?? '') !== 'XML') {
    header('Content-Type: application/json; charset=utf-8');
    exit(json_encode($profiles, JSON_FORCE_OBJECT));
}
$root = new SimpleXMLElement('<ServiceAPI/>');
foreach ($profiles as $id => $profile) {
    $data = $root->addChild('Data');
    $data->addAttribute('Value', (string) $id);
    $profile['IsConfirmed'] = (int) $profile['IsConfirmed'];
    foreach ($profile as $name => $value) $data->$name = (string) $value;
}
header('Content-Type: application/xml; charset=utf-8');
echo $root->asXML();
