import { expect, test } from 'vitest'
import type { Finding, Kind } from '../../../src/migration/probe/finding.ts'
import { isHarmless } from '../../../src/migration/probe/judgements.ts'
import {
  judgeAnswers,
  judgeError,
  judgeForm,
  judgeJsonp,
  judgeMediaType,
  judgeOrder,
} from '../../../src/migration/probe/judging.ts'

const said = (text: string, kind: Kind = 'entries'): Finding => ({ kind, text })

test.each<[string, string, boolean]>([
  // jQuery makes a string of it, and no object.
  ['text/html; charset=UTF-8', 'application/json; charset=utf-8', false],
  ['none', 'application/json', false],
  ['application/json', 'application/json; charset=utf-8', true],
  ['text/xml', 'application/xml; charset=utf-8', true],
  ['text/plain', 'application/xml', false],
])('Content-Type %s instead of %s', (old, gateway, harmless) => {
  expect(isHarmless(judgeMediaType(said(old), said(gateway)))).toBe(harmless)
})

test('[] is not the same as {}: PHP, Jackson and Newtonsoft notice', () => {
  const judgement = judgeAnswers('unknown')(said('empty response, as []', 'list'), said('empty response'))
  expect(judgement).toBe('emptyList')
  expect(isHarmless(judgement)).toBe(false)
})

test.each<[string, Kind, string, Kind, string]>([
  ['error, status 400', 'refusal', 'error, status 404', 'refusal', 'status'],
  ['error, status 200, in JSON', 'refusal', 'error, status 200, in XML', 'refusal', 'format'],
  ['error, status 400, in JSON', 'refusal', 'error, status 400, in XML', 'refusal', 'errorWords'],
  ['error, status 400', 'refusal', 'found', 'entries', 'refusal'],
  ['found', 'entries', 'no answer', 'none', 'refusal'],
  ['1 as null', 'entries', '1 missing', 'entries', 'unknown'],
])('%s (%s) instead of %s (%s) is about %s', (old, wasKind, gateway, isKind, judgement) => {
  expect(judgeAnswers('unknown')(said(old, wasKind), said(gateway, isKind))).toBe(judgement)
})

test.each<[string, string, string]>([
  ['one line, é as \\u00e9', 'one line, é as it is', 'letters'],
  ['no declaration, one line, é as it is', 'no declaration, one line, é as &#233;', 'letters'],
  ['one line, é as \\u00e9', 'one line, é as \\u00E9', 'layout'],
  ['indented, é as it is', 'one line, é as it is', 'layout'],
  ['one line, é as it is', 'one line', 'layout'],
])('the form %s instead of %s is about %s', (old, gateway, judgement) => {
  expect(judgeForm(said(old), said(gateway))).toBe(judgement)
})

test.each<[string, string, string]>([
  ['status 400: {"error":"a"}', 'status 400: {"Error":{"Code":"b"}}', 'errorWords'],
  ['status 200: {"error":"a"}', 'status 200: {"Error":"a"}', 'errorShape'],
  ['status 200: {"Error":"a"}', 'status 200: {"Error":"b"}', 'errorWords'],
  ['status 200: <E><Error>a</Error></E>', 'status 200: <E><Error>b</Error></E>', 'errorWords'],
])('the error %s instead of %s', (old, gateway, judgement) => {
  expect(judgeError(said(old, 'refusal'), said(gateway, 'refusal'))).toBe(judgement)
})

test('an order of entries, and a function around them, is not nothing', () => {
  expect(judgeOrder(said('2, 1'), said('1, 2'))).toBe('entryOrder')
  expect(isHarmless('entryOrder')).toBe(false)
  expect(judgeOrder(said('2, 1'), said('1'))).toBe('reading')
  expect(judgeJsonp(said('JSONP: cb(…)', 'unreadable'), said('found'))).toBe('jsonp')
})
