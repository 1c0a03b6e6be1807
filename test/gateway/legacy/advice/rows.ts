// Services by the settings of a gateway that has the same habits. The advice is these settings, beside `told`.

import type { Settings } from '../support/rows.ts'

export interface Service {
  readonly settings: Settings
  /** Advice that differs from the settings, since no request shows the difference. */
  readonly told?: Settings
  /** Ids of the users that are known: 1 and 2. */
  readonly users?: readonly string[]
}

const each = (name: string, values: readonly string[], beside: Settings = {}): Service[] =>
  values.map((value) => ({ settings: { [name]: value, ...beside } }))
const users = (...ids: readonly string[]) => ({ users: ids })
const ids = ['exact', 'canonical', 'php', 'numeric']
const max1 = { LEGACY_MAX_VALUES: '1' }
const drop = { LEGACY_MALFORMED: 'drop' }

/** How lists are read and entries arranged. */
export const lists: readonly Service[] = [
  { settings: {} },
  ...each('LEGACY_LIST', ['colon-trimmed', 'colon-comma', 'colon-comma-trimmed']),
  ...each('LEGACY_LOOSE_IDS', ids),
  ...each('LEGACY_LOOSE_IDS', ['php', 'numeric'], { LEGACY_MALFORMED: 'unknown' }),
  ...each('LEGACY_LOOSE_IDS', ['php', 'numeric'], { LEGACY_LIST: 'colon-comma-trimmed' }),
  {
    settings: { LEGACY_LOOSE_IDS: 'canonical', LEGACY_MALFORMED: 'unknown' },
    told: { LEGACY_LOOSE_IDS: 'exact' },
  },
  { settings: drop },
  { settings: { ...drop, LEGACY_LOOSE_IDS: 'php' } },
  ...each('LEGACY_UNKNOWN', ['null', 'refuse'], drop),
  { settings: { ...drop, LEGACY_UNKNOWN: 'null', LEGACY_NO_VALUES: 'empty' } },
  { settings: { ...drop, ...max1 } },
  { settings: { ...drop, LEGACY_NO_VALUES: 'empty' }, told: { LEGACY_MALFORMED: 'unknown' } },
  ...each('LEGACY_USERNAMES', ['exact', 'trailing-blanks']),
  { settings: { LEGACY_USERNAMES: 'trailing-blanks', LEGACY_LOOSE_IDS: 'php' } },
  {
    settings: { LEGACY_USERNAMES: 'trailing-blanks', LEGACY_LIST: 'colon-trimmed' },
    told: { LEGACY_USERNAMES: 'fold' },
  },
  { settings: { LEGACY_DUPLICATES: 'each' } },
  ...each('LEGACY_KEYS', ['lower', 'read', 'stored', 'id', 'username', 'asked,chat=id', 'read,chat=id']),
  ...each('LEGACY_KEYS', ['stored,id=asked,chat=id', 'lower,id=read', 'id,id=asked,chat=asked']),
  ...each('LEGACY_KEYS', [
    'username,chat=asked',
    'username,chat=id',
    'asked,chat=username',
    'read,chat=username',
  ]),
  ...each('LEGACY_KEYS_XML', ['asked', 'stored'], { LEGACY_KEYS: 'id' }),
  { settings: { LEGACY_KEYS: 'lower', LEGACY_KEYS_XML: 'stored,chat=id' } },
  { settings: { LEGACY_KEYS_XML: 'read' } },
  { settings: { LEGACY_KEYS_XML: 'username', LEGACY_UNKNOWN: 'null', LEGACY_XML_STYLE: 'dom' } },
  { ...users('2'), settings: { LEGACY_KEYS: 'read,chat=id' }, told: { LEGACY_KEYS: 'read' } },
  { settings: { LEGACY_KEYS: 'id', LEGACY_USERNAMES: 'exact' } },
  { settings: { LEGACY_KEYS: 'read', LEGACY_LOOSE_IDS: 'php' } },
  { settings: { LEGACY_KEYS: 'read', LEGACY_LOOSE_IDS: 'exact' }, told: { LEGACY_KEYS: 'asked' } },
  ...each('LEGACY_ORDER', ['id', 'id desc']),
  { ...users('2'), settings: {} },
  { ...users('2'), settings: { LEGACY_ORDER: 'id', LEGACY_MAX_VALUES: '2' } },
  ...[
    'id',
    'id desc',
    'Username',
    'Username nocase desc',
    'DisplayName',
    'JoinDate desc',
    'Rank',
    'ksort',
  ].map((order) => ({ ...users('2'), settings: { LEGACY_ORDER: order } })),
  { ...users('2'), settings: { LEGACY_ORDER: 'name' } },
  { settings: { LEGACY_ORDER: 'ksort', LEGACY_KEYS: 'stored' } },
  // The names are ids then.
  { settings: { LEGACY_ORDER: 'ksort', LEGACY_KEYS: 'id' }, told: { LEGACY_ORDER: 'id' } },
  // Five users are enough to be sure.
  { settings: { LEGACY_ORDER: 'Rank', LEGACY_MAX_VALUES: '5' } },
  ...each('LEGACY_APPS_ORDER', ['asked', 'id desc', 'Title', 'Category desc'], {
    LEGACY_ORDER: 'DisplayName',
  }),
  // Of two orders that explain all responses, the plainer.
  { settings: { LEGACY_APPS_ORDER: 'Title general_ci' }, told: { LEGACY_APPS_ORDER: 'Title' } },
  // Users who joined later have larger ids, as far as the probe sees them.
  {
    settings: { LEGACY_ORDER: 'JoinDate', LEGACY_MAX_VALUES: '3', LEGACY_UNKNOWN: 'refuse' },
    told: { LEGACY_ORDER: 'id' },
  },
  { ...users('2'), settings: { LEGACY_ORDER: 'name', LEGACY_UNKNOWN: 'refuse' } },
  { ...users('12', '2'), settings: { LEGACY_ORDER: 'name', LEGACY_KEYS: 'stored' } },
  { ...users('12', '2'), settings: {} },
  // Nobody else has an id near this one.
  { ...users('9007199254740991'), settings: { LEGACY_ORDER: 'id' } },
  { ...users('9007199254740991'), settings: { LEGACY_ORDER: 'id', LEGACY_UNKNOWN: 'refuse' } },
  { ...users('9007199254740991'), settings: { LEGACY_UNKNOWN: 'refuse' } },
  { ...users('2', '1'), settings: { LEGACY_ORDER: 'id', LEGACY_KEYS: 'id' } },
  { settings: { LEGACY_EMPTY_VALUES: 'keep' } },
  { settings: { LEGACY_EMPTY_VALUES: 'keep', LEGACY_MALFORMED: 'unknown', LEGACY_UNKNOWN: 'null' } },
  {
    settings: { LEGACY_EMPTY_VALUES: 'keep', LEGACY_UNKNOWN: 'refuse', LEGACY_MALFORMED: 'unknown' },
    told: { LEGACY_MALFORMED: 'reject' },
  },
  { settings: { LEGACY_EMPTY_VALUES: 'drop', LEGACY_UNKNOWN: 'null' } },
  { settings: { LEGACY_TOO_MANY: 'cut' } },
  { settings: { LEGACY_TOO_MANY: 'cut', LEGACY_MAX_VALUES: '37' } },
  { settings: { LEGACY_MAX_VALUES: '37', LEGACY_DUPLICATES: 'each' } },
  ...each('LEGACY_LOOSE_IDS', ['digits', ...ids], max1),
  { settings: { ...max1, LEGACY_LIST: 'colon-comma-trimmed', LEGACY_KEYS: 'stored' } },
  { settings: { ...max1, LEGACY_DUPLICATES: 'each', LEGACY_LIST: 'colon-comma' } },
  // One entry has no order.
  { settings: { ...max1, LEGACY_ORDER: 'id' }, told: { LEGACY_ORDER: 'asked' } },
]

const bare = (...settings: readonly Settings[]): Service[] => settings.map((one) => ({ settings: one }))
const zeros = {
  LEGACY_EMPTY: '[]',
  LEGACY_LOOSE_IDS: 'php',
  LEGACY_KEYS: 'read',
  LEGACY_MALFORMED: 'unknown',
}
const all = 'Banned,DisplayName,Id,IsConfirmed,JoinDate,Rank,Username'
const own = 'Username,Id,DisplayName,Rank,JoinDate,Banned,IsConfirmed'

/** What stands for a value without an entry, how JSON is written, and errors. */
export const bodies: readonly Service[] = [
  ...each('LEGACY_UNKNOWN', [
    'null',
    'false',
    '{}',
    '[]',
    'nulls',
    'nulls+0',
    'nulls+false',
    'nulls+0+false',
  ]),
  ...each('LEGACY_UNKNOWN', ['zeros', '{"found":false}']),
  ...bare(
    { LEGACY_UNKNOWN: 'zeros', LEGACY_NUMBERS: 'string', LEGACY_BOOLEANS: 'string,strval' },
    { LEGACY_UNKNOWN: 'nulls+false', LEGACY_BOOLEANS: 'integer', LEGACY_UNKNOWN_XML: 'unconfirmed' },
    {
      LEGACY_UNKNOWN: '{"error":"{message}"}',
      LEGACY_UNKNOWN_XML: 'error',
      LEGACY_UNKNOWN_TEXT: 'not found',
      LEGACY_JSON_FLAGS: 'pretty',
    },
    {
      LEGACY_UNKNOWN: '{"Error":{"Code":404,"Message":"{message}"}}',
      LEGACY_UNKNOWN_XML: 'error',
      LEGACY_UNKNOWN_TEXT: 'No user {value} | No app {value}',
    },
    {
      LEGACY_UNKNOWN: 'error',
      LEGACY_UNKNOWN_XML: 'error',
      LEGACY_ERROR_BODY: 'lower-case',
      LEGACY_UNKNOWN_TEXT: 'No user | No app',
    },
    {
      LEGACY_MAX_VALUES: '20',
      LEGACY_EMPTY: 'refuse',
      LEGACY_UNKNOWN_TEXT: 'No users | No apps',
      LEGACY_UNKNOWN_STATUS: '404',
      LEGACY_ERROR_TEXTS:
        'MissingParameter=No users given;MissingApps=No apps given;RepeatedParameter=Twice;MalformedIdentifier=Bad user | Bad app;TooManyValues=More than 20;MalformedQuery=What?',
    },
    { LEGACY_UNKNOWN: 'error', LEGACY_UNKNOWN_TEXT: 'There is no {value}' },
    {
      LEGACY_UNKNOWN: 'refuse',
      LEGACY_UNKNOWN_TEXT: 'Nicht gefunden: {value} \u2013 \u00e4',
      LEGACY_UNKNOWN_STATUS: '404',
    },
    { LEGACY_UNKNOWN: 'refuse', LEGACY_UNKNOWN_TEXT: 'Not found', LEGACY_UNKNOWN_STATUS: '200' },
    { ...max1, LEGACY_UNKNOWN: 'refuse', LEGACY_UNKNOWN_TEXT: '{value}', LEGACY_UNKNOWN_STATUS: '404' },
    // An unknown name is read as 0: only an array that is not made an object becomes a list.
    { ...zeros, LEGACY_UNKNOWN: 'null' },
    { ...zeros, ...max1, LEGACY_UNKNOWN: 'zeros', LEGACY_JSON_FLAGS: 'pretty' },
    { LEGACY_EMPTY: 'null', LEGACY_JSON_FLAGS: 'newline' },
    { LEGACY_EMPTY: 'none', LEGACY_UNKNOWN: 'null' },
    { LEGACY_EMPTY: 'none', LEGACY_MAX_VALUES: '20', LEGACY_ERROR_STATUS: '200' },
    {
      LEGACY_UNKNOWN: 'null',
      LEGACY_EMPTY: 'refuse',
      LEGACY_UNKNOWN_TEXT: 'Nobody has {value}',
      LEGACY_UNKNOWN_STATUS: '404',
    },
    { LEGACY_EMPTY: 'refuse', LEGACY_UNKNOWN_TEXT: 'Nobody', LEGACY_UNKNOWN_STATUS: '410' },
    { LEGACY_NUMBERS: 'string,Id=number', LEGACY_UNKNOWN: 'nulls+0' },
    { LEGACY_NUMBERS: 'number,Category=string', ...max1 },
    { LEGACY_NUMBERS: 'string', LEGACY_BOOLEANS: 'string', LEGACY_JSON_FLAGS: 'pretty' },
    { LEGACY_JSON_FLAGS: 'unescaped-unicode,unescaped-slashes,pretty,newline', LEGACY_UNKNOWN: '[]' },
    { LEGACY_JSON_FLAGS: 'indent-2,sorted', LEGACY_UNKNOWN: 'nulls' },
    { LEGACY_JSON_TYPE: 'text/html; charset=UTF-8' },
    { LEGACY_ERROR_BODY: 'text', LEGACY_ERROR_STATUS: '200' },
    { LEGACY_ERROR_BODY: '{"detail": "{message}"}' },
    {
      LEGACY_ERROR_BODY: '{"error":true,"message":"{message}"}',
      LEGACY_ERROR_STATUS: '200',
      LEGACY_ERROR_BODY_XML: 'text',
    },
    {
      LEGACY_ERROR_BODY: '{"status":{status},"error":"{message}"}',
      LEGACY_ERROR_STATUSES: 'UnknownEvent=404',
    },
    {
      LEGACY_ERROR_BODY:
        '{\\n    "error": {\\n        "code": "{code}",\\n        "message": "{message}"\\n    }\\n}\\n',
      LEGACY_ERROR_CODES: 'MissingParameter=no_list;UnknownEvent=no_event',
    },
    {
      LEGACY_ERROR_BODY: 'ERROR: {message}',
      LEGACY_ERROR_TYPE: 'text/html; charset=UTF-8',
      LEGACY_ERROR_STATUS: '200',
      LEGACY_ERROR_BODY_XML: '<?xml version="1.0"?>\\n<ServiceAPI><Message>{message}</Message></ServiceAPI>',
    },
    { LEGACY_ERROR_BODY: 'lower-case', LEGACY_ERROR_STATUS: '404', LEGACY_JSON_FLAGS: 'spaced' },
    {
      LEGACY_MAX_VALUES: '20',
      LEGACY_ERROR_BODY: 'text',
      LEGACY_JSON_FLAGS: 'unescaped-unicode',
      LEGACY_ERROR_TEXTS:
        'MissingParameter=Users fehlen;MissingEvent=No event;MissingApps=No apps;RepeatedParameter=# twice;UnknownEvent=Kein "Event" f\u00fcr dich;UnknownMethod=No such method; try id or username;UnknownFormat=c;d;MalformedIdentifier=d;TooManyValues=More than 20;MalformedQuery=e=f',
    },
    { LEGACY_ERROR_STATUSES: 'MissingParameter=404;MissingEvent=400;UnknownEvent=404' },
  ),
  ...each('LEGACY_EMPTY', ['[]', 'null', 'none']),
  ...each('LEGACY_NUMBERS', ['string', 'number,JoinDate=string']),
  ...each('LEGACY_BOOLEANS', ['integer', 'string', 'strval', 'string,strval', 'boolean,integer']),
  ...each('LEGACY_JSON_FLAGS', ['unescaped-unicode', 'unescaped-slashes', 'pretty', 'newline', 'spaced']),
  ...each('LEGACY_JSON_FLAGS', ['indent-2', 'indent-tab', 'indent-2,newline,spaced,sorted']),
  ...each('LEGACY_JSON_FLAGS', ['indent-3,newline,spaced-colons,sorted']),
  ...each('LEGACY_JSON_FLAGS', ['spaced', 'spaced-colons', 'newline,spaced,spaced-colons', 'sorted'], {
    LEGACY_NUMBERS: 'string',
  }),
  ...each('LEGACY_OTHER_EVENT', ['ProfileLookup', 'AppLookup']),
  ...each('LEGACY_OTHER_EVENT', ['ProfileLookup-if-missing', 'ProfileLookup-if-empty']),
  // Fields: a setting has those of users and of apps.
  { settings: { LEGACY_FIELDS: own } },
  { settings: { LEGACY_FIELDS: all } },
  {
    settings: { LEGACY_FIELDS: 'Version' },
    told: { LEGACY_FIELDS: 'Version,Title,Category,ChangelogLink,ServiceDownloadLink' },
  },
  {
    settings: { LEGACY_FIELDS: `DownloadLink,${own}`, LEGACY_SERVICE_NAME: 'Acme' },
    told: {
      LEGACY_FIELDS: `${own},AcmeDownloadLink,Title,Version,Category,ChangelogLink`,
      LEGACY_SERVICE_NAME: 'Acme',
    },
  },
  // If the probe does not see the order of entries, XML shows what is sorted.
  { settings: { ...max1, LEGACY_FIELDS: `${all},Category,ChangelogLink,ServiceDownloadLink,Title,Version` } },
  { settings: { ...max1, LEGACY_JSON_FLAGS: 'sorted' } },
  { settings: { LEGACY_JSON_FLAGS: 'sorted', LEGACY_ORDER: 'name' } },
  { settings: { LEGACY_JSON_FLAGS: 'sorted', LEGACY_FIELDS: own } },
]

const plain = { LEGACY_XML_STYLE: 'plain' }
const dom = { LEGACY_XML_STYLE: 'dom' }
const flags = (value: string, beside: Settings = {}) => ({ ...beside, LEGACY_XML_FLAGS: value })

/** How XML is written: the advice may name other settings that write the same bytes. */
export const xml: readonly Settings[] = [
  {},
  flags('open-fields'),
  flags('cdata,no-newline'),
  { LEGACY_XML_INDENT: '2' },
  { LEGACY_XML_TYPE: 'text/xml' },
  { LEGACY_XML_ROOT: 'version="1.0"' },
  flags('lined-root,newline', { ...plain, LEGACY_XML_ROOT: `version='1.0' count="3"` }),
  flags('spaced-tags,no-newline', { LEGACY_XML_ROOT: 'version="1.0"' }),
  dom,
  flags('open-tags', { ...dom, LEGACY_XML_INDENT: '2' }),
  flags('open-fields,cdata,crlf', { ...dom, LEGACY_XML_INDENT: '4' }),
  { LEGACY_XML_STYLE: 'dom-node' },
  flags('newline,open-fields', { LEGACY_XML_STYLE: 'dom-node' }),
  { LEGACY_XML_STYLE: 'xmlwriter', LEGACY_XML_INDENT: '1' },
  plain,
  flags('cdata,newline,inline-declaration', { ...plain, LEGACY_XML_TYPE: 'text/html; charset=UTF-8' }),
  { ...plain, LEGACY_XML_DECLARATION: 'omit', LEGACY_XML_INDENT: 'tab' },
  flags('bare-apostrophes', plain),
  flags('apos,newline', plain),
  flags('single-quotes,filled-cdata', plain),
  flags('needed-cdata', plain),
  flags('needed-cdata,no-cdata:ChangelogLink', plain),
  flags('cdata,no-cdata:Version,no-cdata:DownloadLink', plain),
  flags('needed-cdata', { ...dom, LEGACY_XML_INDENT: '2' }),
  flags('filled-cdata,no-cdata:Username,no-cdata:ChangelogLink'),
  flags('single-quotes,inline-fields,crlf', { ...plain, LEGACY_XML_INDENT: 'tab' }),
  flags('inline-fields,lined-root,newline,cdata', { ...plain, LEGACY_XML_INDENT: '0' }),
  flags('spaced-tags,no-newline', {
    ...dom,
    LEGACY_XML_DECLARATION: "<?xml version='1.0' encoding='utf-8'?>",
  }),
  flags('spaced-tags,no-newline,decimal', { LEGACY_XML_DECLARATION: 'omit' }),
  flags('closed-tags', {
    LEGACY_XML_STYLE: 'xmlwriter',
    LEGACY_XML_DECLARATION: '<?xml version="1.0" ?>',
    LEGACY_XML_INDENT: 'tab',
  }),
  flags('closed-tags,bare-apostrophes,inline-declaration', {
    ...plain,
    LEGACY_XML_DECLARATION: '<?xml version="1.0" ?>',
  }),
]

/** What stands for an unknown value in XML; undefined if XML follows JSON. */
export const unknownXml: readonly (readonly [settings: Settings, told: string | undefined])[] = [
  [{}, undefined],
  [{ LEGACY_UNKNOWN: 'null' }, undefined],
  [{ LEGACY_UNKNOWN: 'omit', LEGACY_UNKNOWN_XML: 'empty' }, 'empty'],
  [{ LEGACY_UNKNOWN_XML: 'empty-fields' }, 'empty-fields'],
  [{ LEGACY_UNKNOWN_XML: 'unconfirmed' }, 'unconfirmed'],
  [{ LEGACY_UNKNOWN: 'zeros', LEGACY_UNKNOWN_XML: 'zeros' }, 'zeros'],
  [{ LEGACY_UNKNOWN_XML: 'error' }, 'error'],
  [{ LEGACY_UNKNOWN: '{"a":{"b":7},"c":"{message}"}', LEGACY_UNKNOWN_XML: 'error' }, 'error'],
  [{ LEGACY_UNKNOWN: 'null', LEGACY_UNKNOWN_XML: 'omit' }, 'omit'],
]
