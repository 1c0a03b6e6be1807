// Finds rights that the reader does not need, rows that the database hides from the reader, and a session in
// another time zone than UTC.

import { canWrite } from '../mysql/grants.ts'
import type { DatabaseAccess, DatabaseFault } from './access.ts'

export async function findRights(access: DatabaseAccess): Promise<readonly DatabaseFault[]> {
  if (access.engine === 'sqlite') return []
  return access.engine === 'postgres'
    ? [...(await postgresRights(access)), ...(await hiddenRows(access))]
    : [...(await mysqlRights(access)), ...(await timeZone(access))]
}

async function postgresRights({ query }: DatabaseAccess): Promise<readonly DatabaseFault[]> {
  const [row] = await query(`
    SELECT current_user AS reader, current_schema() AS schema, rolsuper AS super,
      array_to_string(ARRAY(SELECT format('%s on %s', right_name, name)
        FROM unnest(ARRAY['users', 'apps']) AS name, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS right_name
        WHERE has_table_privilege(name, right_name)), ', ') AS rights
    FROM pg_roles WHERE rolname = current_user`)
  const [rights, isSuper] = [String(row?.rights ?? ''), row?.super === true]
  if (rights === '' && !isSuper) return []
  return [
    {
      what: `The role ${String(row?.reader)} may do more than read`,
      example: isSuper ? 'It is a superuser.' : rights,
      mend: `CREATE ROLE lookup_reader LOGIN PASSWORD '…'; GRANT USAGE ON SCHEMA ${String(row?.schema)} TO lookup_reader; GRANT SELECT ON users, apps TO lookup_reader;`,
    },
  ]
}

/** Row level security shows no rows, and no error, to a role without a policy. A view reads as its owner. */
async function hiddenRows({ query }: DatabaseAccess): Promise<readonly DatabaseFault[]> {
  const rows = await query(`
    WITH RECURSIVE reached AS (
      SELECT c.oid, c.oid AS relation, CASE WHEN c.relkind = 'v'
          AND NOT coalesce('security_invoker=true' = ANY(c.reloptions) OR 'security_invoker=on' = ANY(c.reloptions), false)
        THEN c.relowner ELSE (SELECT oid FROM pg_roles WHERE rolname = current_user) END AS reader
      FROM pg_class c WHERE c.oid IN (to_regclass('users'), to_regclass('apps'))
      UNION
      SELECT d.refobjid, r.relation, r.reader FROM reached r
      JOIN pg_rewrite w ON w.ev_class = r.oid
      JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass
    )
    SELECT DISTINCT r.relation::regclass::text AS relation, c.oid::regclass::text AS name, role.rolname AS reader
    FROM reached r JOIN pg_class c ON c.oid = r.oid JOIN pg_roles role ON role.oid = r.reader
    WHERE c.relrowsecurity AND NOT role.rolsuper AND NOT role.rolbypassrls
      AND (c.relowner <> role.oid OR c.relforcerowsecurity)
      AND NOT EXISTS (
        SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd IN ('r', '*')
        AND (p.polroles = '{0}' OR EXISTS (SELECT 1 FROM unnest(p.polroles) AS member(id) WHERE pg_has_role(role.oid, member.id, 'USAGE'))))`)
  return rows.map(({ relation, name, reader }) => ({
    what: `Row level security of ${String(name)} hides all rows of ${String(relation)}`,
    example: `The role ${String(reader)} has no policy, so that lookups find nothing, without an error.`,
    mend: `CREATE POLICY lookup_reads ON ${String(name)} FOR SELECT TO ${String(reader)} USING (true);`,
  }))
}

async function mysqlRights({ query }: DatabaseAccess): Promise<readonly DatabaseFault[]> {
  const [here] = await query('SELECT database() AS name, current_user() AS reader')
  const name = String(here?.name)
  // Some proxies have no response to it.
  const rows = await query('SHOW GRANTS').catch(() => [])
  const grants = rows.map((row) => String(Object.values(row)[0]).replace(/ IDENTIFIED BY .*/, ''))
  if (!canWrite(grants, name)) return []
  return [
    {
      what: `The user ${String(here?.reader)} may do more than read`,
      example: grants.join('; '),
      mend: `CREATE USER lookup_reader IDENTIFIED BY '…'; GRANT SELECT ON ${name}.users TO lookup_reader; GRANT SELECT ON ${name}.apps TO lookup_reader;`,
    },
  ]
}

/** UNIX_TIMESTAMP reads a DATETIME in the time zone of the session. Most programs store UTC. */
async function timeZone({ query }: DatabaseAccess): Promise<readonly DatabaseFault[]> {
  const [zone] = await query(
    'SELECT timestampdiff(SECOND, utc_timestamp(), now()) AS seconds, @@session.time_zone AS name',
  )
  if (Math.abs(Number(zone?.seconds)) < 60) return []
  // The definition is empty for a user who may not see it.
  const columns = await query(`
    SELECT v.table_name AS view, concat(c.table_name, '.', c.column_name) AS name
    FROM information_schema.views AS v JOIN information_schema.columns AS c ON c.data_type = 'datetime'
      AND (v.view_definition LIKE concat('%unix_timestamp(\`', c.table_name, '\`.\`', c.column_name, '\`)%')
        OR v.view_definition LIKE concat('%unix_timestamp(\`', c.table_schema, '\`.\`', c.table_name, '\`.\`', c.column_name, '\`)%'))
    WHERE v.table_schema = database() AND v.table_name IN ('users', 'apps')`)
  return columns.map(({ view, name }) => ({
    what: `${String(view)} reads ${String(name)} in the time zone of the server (${String(zone?.name)})`,
    example: `UNIX_TIMESTAMP is ${String(zone?.seconds)} seconds off if the program stores UTC, as most do.`,
    mend: `TIMESTAMPDIFF(SECOND, '1970-01-01', ${String(name)})`,
  }))
}
