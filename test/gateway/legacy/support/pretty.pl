# Answers as a service in Perl writes them. On stdin a JSON list of [ascii or utf8, answer], the answer a list of
# [value, fields]; on stdout a JSON list of texts in base64.

use strict;
use warnings;
use JSON::PP;
use MIME::Base64;

sub written {
    my ($characters, $answer) = @{$_[0]};
    my %found = map { my ($value, $fields) = @$_; $value => $fields && { map { @$_ } @$fields } } @$answer;
    return encode_base64(JSON::PP->new->pretty->canonical->$characters->encode(\%found), '');
}

local $/;
print encode_json([map { written($_) } @{decode_json(<STDIN>)}]);
