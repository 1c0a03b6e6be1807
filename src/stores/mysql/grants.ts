// Whether a user may change data, by what SHOW GRANTS says.

const writing = /\b(?:ALL PRIVILEGES|INSERT|UPDATE|DELETE|DROP|ALTER|CREATE|SUPER)\b/

/** @param grants statements, each of which would give the user some of its rights again */
export function canWrite(grants: readonly string[], database: string): boolean {
  return grants.some((grant) => {
    const [, rights = '', object = ''] = /^GRANT (.+?) ON (\S+) TO /.exec(grant) ?? []
    // Quoted as the server's sql_mode has it; a pattern may stand for the database.
    const name = /^[`"]?(.*?)[`"]?\./.exec(object)?.[1]?.replace(/\\/g, '') ?? ''
    return writing.test(rights) && (name === '*' || name === database)
  })
}
