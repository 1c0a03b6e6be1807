<?php

// An old lookup service, as they were written: one file, PDO, and habits whose reasons are forgotten. It knows
// nothing of the gateway. What may differ from one such service to another is a switch in the file that OLD_SWITCHES
// names, read at each request; `Switches` of test/kit/old-service.ts says what each means.

declare(strict_types=1);

require __DIR__ . '/answers.php';

$switches = json_decode(file_get_contents(getenv('OLD_SWITCHES')), true, 512, JSON_THROW_ON_ERROR);
$db = new PDO('sqlite:' . getenv('OLD_DATABASE'), options: [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);

usleep($switches['delay'] * 1000);
if ($switches['failing']) {
    http_response_code(500);
    header('Content-Type: text/html');
    exit("<h1>Internal Server Error</h1>\n<b>Warning</b>: PDO: server has gone away in /var/www/index.php on line 12\n");
}

require __DIR__ . '/front.php';
require __DIR__ . '/parameters.php';
if ($switches['blocked'] !== '' && str_contains(rawurldecode($_SERVER['QUERY_STRING'] ?? ''), $switches['blocked'])) {
    http_response_code(403);
    exit("<h1>Forbidden</h1>\n");
}

try {
    $_GET = readParameters($switches);
    $event = match ($switches['otherEvent']) {
        'refuse' => $_GET['Event'] ?? '',
        'missing' => $_GET['Event'] ?? $switches['defaultEvent'],
        'empty' => empty($_GET['Event']) ? $switches['defaultEvent'] : $_GET['Event'],
        'any' => in_array($_GET['Event'] ?? '', ['ProfileLookup', 'AppLookup'], true) ? $_GET['Event'] : $switches['defaultEvent'],
    };
    if ($switches['withoutApps'] && $event === 'AppLookup') throw new Refusal('Unknown event');
    match ($event) {
        'ProfileLookup' => answer(lookupUsers($db, $switches), $switches),
        'AppLookup' => answer(lookupApps($db, $switches), $switches),
        default => throw new Refusal('Unknown event'),
    };
} catch (Refusal $refusal) {
    if ($switches['errorStatus'] === 'http') http_response_code(400);
    answer(['error' => $refusal->getMessage()], $switches);
}

/** What the service has against a request. */
final class Refusal extends Exception {}

function lookupUsers(PDO $db, array $switches): array
{
    $method = $_GET['MethodOfAccessingUserInformation'] ?? 'id';
    $column = [
        'id' => 'id',
        'username' => $switches['caseSensitive'] ? 'username COLLATE BINARY' : 'username COLLATE NOCASE',
        $switches['chatMethod'] => 'chat_id',
    ][$method] ?? match ($switches['otherMethod']) {
        'refuse' => throw new Refusal('Unknown method'),
        'id' => 'id',
        'username' => 'username COLLATE NOCASE',
        'unknown' => 'NULL',
    };
    return lookup($db->prepare("SELECT * FROM users WHERE $column = ?"), $_GET['Users'] ?? null, $column === 'id', inOrder($db, 'users', $switches['orderBy']), $switches, fn (array $user) => [
        'Id' => (int) $user['id'],
        'Username' => $user['username'],
        'DisplayName' => (int) $user['id'] === $switches['broken'] ? "\xff" : $user['display_name'],
        'Rank' => changes('Rank', $switches) ? random_int(1, 1_000_000_000) : (int) $user['rank'],
        'JoinDate' => changes('JoinDate', $switches) ? time() : (int) $user['join_date'],
        'IsConfirmed' => (bool) $user['is_confirmed'],
        'Banned' => (bool) $user['banned'],
    ]);
}

function lookupApps(PDO $db, array $switches): array
{
    return lookup($db->prepare('SELECT * FROM apps WHERE id = ?'), $_GET['Apps'] ?? null, true, inOrder($db, 'apps', $switches['appsOrderBy']), $switches, fn (array $app) => [
        'Title' => $app['title'],
        'Version' => changes('Version', $switches) && isNextTurn() ? '0.0.0' : $app['version'],
        'Category' => (int) $app['category'],
        'ChangelogLink' => $app['changelog_link'],
        $switches['serviceName'] . 'DownloadLink' => $app['download_link'],
    ]);
}

function lookup(PDOStatement $find, ?string $list, bool $byId, callable $arrange, array $switches, callable $shape): array
{
    $values = array_unique(array_filter(explode(':', $list ?? ''), fn (string $value) => $value !== ''));
    if ($values === [] && refusesNoValues($list, $switches)) throw new Refusal('Nothing to look up');
    $most = $switches['maxValues'];
    if ($most > 0 && count($values) > $most) throw new Refusal("More than $most values");
    $found = [];
    $ids = [];
    foreach ($values as $value) {
        $row = $byId && !isId($value, $switches) ? null : find($find, $byId ? (int) (float) $value : $value);
        if ($row !== null) $ids[nameOf($value, $row, $switches)] = $row['id'];
        if ($row !== null) $found[nameOf($value, $row, $switches)] = $shape($row);
        elseif ($switches['unknown'] === 'error') throw new Refusal("Nothing found for $value");
        elseif ($switches['unknown'] === 'null') $found[$value] = null;
        elseif ($switches['unknown'] === 'list') $found[$value] = [];
    }
    if (changes('entries', $switches) && isNextTurn()) return [];
    if (changes('status', $switches) && isNextTurn()) http_response_code(404);
    return $arrange($found, $ids);
}

/** How entries are put in order, given what there is of each by its name; those that match nothing come last. */
function inOrder(PDO $db, string $table, string $orderBy): callable
{
    return function (array $found, array $ids) use ($db, $table, $orderBy): array {
        if ($orderBy === 'ksort') ksort($found);
        if ($orderBy === '' || $orderBy === 'ksort') return $found;
        $places = array_flip($db->query("SELECT id FROM $table ORDER BY $orderBy, id")->fetchAll(PDO::FETCH_COLUMN));
        $placeOf = fn (int|string $name) => isset($ids[$name]) ? $places[$ids[$name]] : PHP_INT_MAX;
        uksort($found, fn (int|string $one, int|string $other) => $placeOf($one) <=> $placeOf($other));
        return $found;
    };
}

function changes(string $what, array $switches): bool
{
    return in_array($what, $switches['changing'], true);
}

/** Every other time that the same is asked. */
function isNextTurn(): bool
{
    static $isNext = null;
    if ($isNext !== null) return $isNext;
    // One byte for each time: the requests of all workers are in one order.
    $file = getenv('OLD_SWITCHES') . '-' . md5($_SERVER['QUERY_STRING'] ?? '');
    file_put_contents($file, '.', FILE_APPEND | LOCK_EX);
    clearstatcache();
    return $isNext = filesize($file) % 2 === 0;
}

function nameOf(string $value, array $row, array $switches): string
{
    return match ($switches['naming']) {
        'asked' => $value,
        'stored' => $row['username'] ?? $value,
        'id' => (string) $row['id'],
    };
}

/** What PHP itself takes for a number is more than digits: 02, 1e3, " 7". */
function isId(string $value, array $switches): bool
{
    return $switches['looseIds'] ? is_numeric($value) : preg_match('/^[1-9]\d{0,15}$/', $value) === 1;
}

function find(PDOStatement $find, int|string $value): ?array
{
    $find->execute([$value]);
    $row = $find->fetch();
    return $row === false ? null : $row;
}
