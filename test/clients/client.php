<?php
// A client in PHP: it takes cases as JSON, and says what each makes of its answer.

/** Warnings and notices of one case. */
$warnings = [];
set_error_handler(function (int $level) use (&$warnings) {
    $warnings[] = $level === E_DEPRECATED ? '' : ' and a warning';
    return true;
});

function post(string $url)
{
    $http = ['method' => 'POST', 'content' => 'Event=ProfileLookup', 'header' => 'Content-Type: application/x-www-form-urlencoded'];
    return file_get_contents($url, false, stream_context_create(['http' => $http]));
}

$results = [];
foreach (json_decode(stream_get_contents(STDIN)) as $one) {
    $warnings = [];
    try {
        $read = eval('return fn($answer, $url) => ' . $one->code . ';');
        $value = $read($one->answer, $one->url);
        $result = json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE);
    } catch (Throwable $error) {
        $result = 'throws ' . $error::class;
    }
    $results[] = $result . implode('', array_unique($warnings));
}
echo json_encode($results);
