// Whether a user may change data, by the result of SHOW GRANTS.

const writing = /\b(?:ALL PRIVILEGES|INSERT|UPDATE|DELETE|DROP|ALTER|CREATE|SUPER)\b/

/** @param grants statements, each of which would give the user some of its rights again */
export function canWrite(grants: readonly string[], database: string): boolean {
  return grants.some((grant) => {
    const [, rights = '', object = ''] = /^GRANT (.+?) ON (\S+) TO /.exec(grant) ?? []
    // The quotes depend on sql_mode. The name of the database may be a pattern with escaped marks.
    const name = /^[`"]?(.*?)[`"]?\./.exec(object)?.[1]?.replace(/\\/g, '') ?? ''
    return writing.test(rights) && (name === '*' || name === database)
  })
}
