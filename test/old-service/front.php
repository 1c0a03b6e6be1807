<?php

// What stands in front of an old service: a login, a firewall, a move, a compression of everything.

declare(strict_types=1);

if ($switches['wants'] !== '') {
    [$name, $value] = explode(': ', $switches['wants'], 2);
    if (($_SERVER['HTTP_' . strtr(strtoupper($name), '-', '_')] ?? '') !== $value) {
        http_response_code(403);
        exit("<h1>Forbidden</h1>\n");
    }
}

$login = ($_SERVER['PHP_AUTH_USER'] ?? '') . ':' . ($_SERVER['PHP_AUTH_PW'] ?? '');
if ($switches['login'] !== '' && $login !== $switches['login']) {
    http_response_code(401);
    header('WWW-Authenticate: Basic realm="old"');
    exit("<h1>Unauthorized</h1>\n");
}

if ($switches['movedTo'] !== '') {
    http_response_code(301);
    header('Location: ' . $switches['movedTo'] . '?' . ($_SERVER['QUERY_STRING'] ?? ''));
    exit("<h1>Moved</h1>\n");
}

if ($switches['gzip']) {
    header('Content-Encoding: gzip');
    ob_start(fn (string $body) => gzencode($body));
}
