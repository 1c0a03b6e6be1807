<?php

// The service as a careful PHP engineer writes it: one query per request, json_encode and SimpleXML.

declare(strict_types=1);

function refuse(): never
{
    http_response_code(400);
    exit('{"Error":{"Code":"BadRequest","Message":"This cannot be looked up."}}');
}

function find(array $ids): array
{
    $columns = 'id, username, display_name, users.rank, join_date, is_confirmed, banned';
    $slots = implode(',', array_fill(0, count($ids), '?'));
    $query = "SELECT $columns FROM users WHERE id IN ($slots)";
    $rows = preg_match('/^(mysql|mariadb):/', $_SERVER['DSN']) ? askMysqli($query, $ids) : askPdo($query, $ids);
    return array_column($rows, null, 'id');
}

function askPdo(string $query, array $ids): array
{
    $options = [PDO::ATTR_PERSISTENT => true, PDO::ATTR_EMULATE_PREPARES => false];
    // PDO would prepare each statement, ask once, and forget it: three round trips, and nearly twice the cost.
    if (str_starts_with($_SERVER['DSN'], 'pgsql:')) $options[PDO::PGSQL_ATTR_DISABLE_PREPARES] = true;
    $database = new PDO($_SERVER['DSN'], null, null, $options);
    $statement = $database->prepare($query);
    $statement->execute($ids);
    return $statement->fetchAll(PDO::FETCH_ASSOC);
}

function askMysqli(string $query, array $ids): array
{
    ['host' => $host, 'port' => $port, 'user' => $user, 'path' => $path] = parse_url($_SERVER['DSN']);
    $database = mysqli_init();
    // Said at the login, it takes no round trip.
    $database->options(MYSQLI_SET_CHARSET_NAME, 'utf8mb4');
    $database->real_connect("p:$host", $user, '', substr($path, 1), $port);
    return $database->execute_query($query, $ids)->fetch_all(MYSQLI_ASSOC);
}

$ids = explode(':', $_GET['Users'] ?? '');
foreach ($ids as $id) if (!ctype_digit($id)) refuse();
if (($_GET['Event'] ?? '') !== 'ProfileLookup') refuse();

$xml = ($_GET['Format'] ?? '') === 'XML';
$found = find($ids);
$answer = [];
foreach ($ids as $id) {
    $row = $found[(int) $id] ?? null;
    if ($row === null) continue;
    $answer[$id] = [
        'Id' => $row['id'],
        'Username' => $row['username'],
        'DisplayName' => $row['display_name'],
        'Rank' => $row['rank'],
        'JoinDate' => $row['join_date'],
        'IsConfirmed' => (bool) $row['is_confirmed'],
        'Banned' => (bool) $row['banned'],
    ];
}

if (!$xml) {
    header('Content-Type: application/json; charset=utf-8');
    echo json_encode($answer, JSON_FORCE_OBJECT);
    exit;
}
$root = new SimpleXMLElement('<ServiceAPI/>');
foreach ($answer as $id => $profile) {
    $data = $root->addChild('Data');
    $data->addAttribute('Value', (string) $id);
    $profile['IsConfirmed'] = (int) $profile['IsConfirmed'];
    foreach ($profile as $name => $value) $data->$name = (string) $value;
}
header('Content-Type: application/xml; charset=utf-8');
echo $root->asXML();
