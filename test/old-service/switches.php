<?php

declare(strict_types=1);

/** How the service behaves, where nothing else is said. */
const SWITCHES = [
    // missing, null, error or list (an empty one)
    'unknown' => 'missing',
    // an answer in which nothing is found: usual, null (a variable that nothing was put in), silent (exit) or error
    'nothing' => 'usual',
    // both, json or empty: which format has texts that have been through htmlspecialchars
    'escaped' => '',
    'looseIds' => false,
    'caseSensitive' => false,
    // what an entry is named by: asked (the value as it was asked for), stored (the username) or id
    'naming' => 'asked',
    // what rows are sorted by, as in ORDER BY, or ksort for names; as asked for where there is none
    'orderBy' => '',
    'appsOrderBy' => '',
    // a text that no query string may hold, as a firewall has it: status 403
    'blocked' => '',
    // the id of a user whose display name is not UTF-8: PHP cannot encode it, and sends an error page
    'broken' => 0,
    // http or 200
    'errorStatus' => 'http',
    'pretty' => false,
    // JSON_NUMERIC_CHECK
    'numericCheck' => false,
    'xmlDeclaration' => true,
    'serviceName' => 'Service',
    'chatMethod' => 'chat',
    // 0 for as many as one likes
    'maxValues' => 0,
    // milliseconds
    'delay' => 0,
    // answers users only
    'withoutApps' => false,
    'failing' => false,
    // what changes from one answer to the next: JoinDate (the time now), Rank (random), Version (between two, in
    // turn), status (between 200 and 404, in turn) or entries (one has all entries, the next one none)
    'changing' => [],
    // sends half of each answer, and hangs up
    'cutting' => false,
    // of parameters, events, methods and formats: what is read in any case
    'anyCase' => [],
    // last, first or refuse: which value is read of a parameter that is given twice
    'repeated' => 'last',
    // refuse, missing (with ??), empty or any: which events but the two mean the default
    'otherEvent' => 'refuse',
    // the event that is the default
    'defaultEvent' => 'ProfileLookup',
    // json, xml or refuse: any Format but JSON and XML
    'otherFormat' => 'json',
    // refuse, id, username or unknown: any other method
    'otherMethod' => 'refuse',
    // refuse, refuse-empty, refuse-missing or empty: a list without values
    'noValues' => 'refuse',
    // where it answers; everywhere where there is none
    'paths' => [],
    // a header that each request needs, as Name: value: otherwise status 403
    'wants' => '',
    // user:password that each request needs: otherwise status 401
    'login' => '',
    // sends every answer in gzip, whatever the request accepts
    'gzip' => false,
    // sends every request to that address, with its query
    'movedTo' => '',
];

function readSwitches(): array
{
    $set = json_decode(file_get_contents(getenv('OLD_SWITCHES')), true, 512, JSON_THROW_ON_ERROR);
    $strangers = array_diff_key($set, SWITCHES);
    if ($strangers !== []) throw new LogicException('There is no switch ' . implode(', ', array_keys($strangers)));
    return $set + SWITCHES;
}
