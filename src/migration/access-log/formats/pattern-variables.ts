// The variables of a pattern: nginx's, and a few for what nginx never writes apart.

export type Role =
  | 'request'
  | 'method'
  | 'target'
  | 'query'
  | 'address'
  | 'forwarded'
  | 'userAgent'
  | 'referer'
  | 'time'
  | 'date'
  | 'zone'

const roles = new Map<string, Role>([
  ['request', 'request'],
  ['request_method', 'method'],
  ['request_uri', 'target'],
  ['uri', 'target'],
  ['document_uri', 'target'],
  ['args', 'query'],
  ['query_string', 'query'],
  ['remote_addr', 'address'],
  ['realip_remote_addr', 'address'],
  ['proxy_protocol_addr', 'address'],
  ['http_x_forwarded_for', 'forwarded'],
  ['http_user_agent', 'userAgent'],
  ['http_referer', 'referer'],
  ['time_local', 'time'],
  ['time_iso8601', 'time'],
  ['msec', 'time'],
  ['time', 'time'],
  ['date', 'date'],
  ['zone', 'zone'],
])

/** Those of nginx that say nothing about a lookup, and `$_` for whatever stands there. */
const ignored = new Set(
  `_ ancient_browser binary_remote_addr body_bytes_sent bytes_received bytes_sent connection connection_requests
  connection_time connections_active content_length content_type gzip_ratio host hostname http2 http3 http_host
  https is_args limit_conn_status limit_rate limit_req_status msie nginx_version pid pipe protocol proxy_host
  proxy_port realip_remote_port realpath_root remote_port remote_user request_body request_completion request_filename
  request_id request_length request_time scheme server_addr server_name server_port server_protocol status
  tcpinfo_rtt tcpinfo_rttvar uid_got uid_set`.split(/\s+/),
)
/** Beginnings of names that have anything after them. */
const ignoredGroups =
  /^(?:http|arg|cookie|sent_http|sent_trailer|upstream|ssl|geoip2?|jwt_claim|proxy|spdy|tcpinfo|otel|session_log|date|memcached)_\w/

/** @returns `null` for one that is passed over, `undefined` for one that there is not */
export function roleOf(name: string): Role | null | undefined {
  const role = roles.get(name)
  if (role !== undefined) return role
  if (ignored.has(name)) return null
  return ignoredGroups.test(name) ? null : undefined
}
