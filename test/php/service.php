<?php

// The lookup service as old PHP services were written, answering from JSON Lines instead of a database. It knows
// nothing of the gateway: test/cases holds what it says, and the gateway has to say the same, byte for byte.
// It answers what is found; refusals are the gateway's own and have no model here.

declare(strict_types=1);

/** @return list<array<string, mixed>> */
function load(string $file): array
{
    $rows = [];
    foreach (file($file, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES) as $line) {
        $rows[] = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    }
    return $rows;
}

/** From the query string to the body. */
function answer(string $query, array $users, array $apps): string
{
    parse_str($query, $get);
    $found = $get['Event'] === 'AppLookup' ? lookupApps($get, $apps) : lookupUsers($get, $users);
    return ($get['Format'] ?? '') === 'XML' ? toXml($found) : toJson($found);
}

function lookupUsers(array $get, array $users): array
{
    $method = ($get['MethodOfAccessingUserInformation'] ?? '') ?: 'id';
    $byKey = [];
    foreach ($users as $user) {
        if ($method === 'id') $byKey[$user['id']] = $user;
        elseif ($method === 'username') $byKey[usernameKey($user['username'])] = $user;
        elseif ($user['chatId'] !== null) $byKey[$user['chatId']] = $user;
    }
    $found = [];
    foreach (values($get['Users']) as $value) {
        $key = $method === 'id' ? number($value) : ($method === 'username' ? usernameKey($value) : $value);
        $user = $byKey[$key] ?? null;
        if ($user === null) continue;
        // A value asked for twice keeps its first place: an array key has only one.
        $found[$value] = [
            'Id' => $user['id'],
            'Username' => $user['username'],
            'DisplayName' => $user['displayName'],
            'Rank' => $user['rank'],
            'JoinDate' => $user['joinDate'],
            'IsConfirmed' => $user['isConfirmed'],
            'Banned' => $user['banned'],
        ];
    }
    return $found;
}

function lookupApps(array $get, array $apps): array
{
    $byId = array_column($apps, null, 'id');
    $found = [];
    foreach (values($get['Apps']) as $value) {
        $app = $byId[number($value)] ?? null;
        if ($app === null) continue;
        $found[$value] = [
            'Title' => $app['title'],
            'Version' => $app['version'],
            'Category' => $app['category'],
            'ChangelogLink' => $app['changelogLink'],
            'ServiceDownloadLink' => $app['downloadLink'],
        ];
    }
    return $found;
}

/** @return list<string> */
function values(string $list): array
{
    return array_values(array_filter(explode(':', $list), fn (string $value) => $value !== ''));
}

function number(string $digits): int
{
    if (!ctype_digit($digits)) throw new InvalidArgumentException("not a number: $digits");
    return (int) $digits;
}

// PHP's own functions for this (mbstring, intl) are not everywhere; this is what the names in test/cases need of
// compatibility normalisation and of lower case beyond ASCII.
const FOLDED = ['Ø' => 'ø', 'Æ' => 'æ', 'É' => 'é', "E\u{301}" => 'é', "e\u{301}" => 'é', 'ﬁ' => 'fi',
    'ｆ' => 'f', 'ｕ' => 'u', 'ｌ' => 'l', 'Ｆ' => 'f', 'Ｕ' => 'u', 'Ｌ' => 'l', '𝒳' => 'x'];

function usernameKey(string $username): string
{
    return strtolower(strtr($username, FOLDED));
}

function toJson(array $found): string
{
    return json_encode($found, JSON_FORCE_OBJECT | JSON_THROW_ON_ERROR);
}

// Here is why Banned is empty or 1: a PHP boolean as text. IsConfirmed was a number in the database.
function toXml(array $found): string
{
    $root = new SimpleXMLElement('<ServiceAPI/>');
    foreach ($found as $value => $fields) {
        $data = $root->addChild('Data');
        $data->addAttribute('Value', xmlText((string) $value));
        foreach ($fields ?? [] as $name => $content) {
            if ($name === 'IsConfirmed') $content = (int) $content;
            // addChild's own second argument would read the text as markup and stumble over "&".
            $child = $data->addChild($name);
            $child[0] = xmlText((string) $content);
        }
    }
    return $root->asXML();
}

// Here the contract departs from PHP: what XML 1.0 cannot carry becomes U+FFFD. SimpleXML would write a
// reference to it that no parser accepts, or give up.
function xmlText(string $text): string
{
    return preg_replace('/[\x00-\x08\x0b\x0c\x0e-\x1f\x{fffe}\x{ffff}]/u', "\u{fffd}", $text);
}
