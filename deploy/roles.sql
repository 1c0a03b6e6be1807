-- The roles: one makes and fills the tables, one reads them, and one is the standby's. The image runs this once, as the
-- superuser, when it makes the database.

\getenv owner_password OWNER_PASSWORD
\getenv reader_password READER_PASSWORD
\getenv replication_password REPLICATION_PASSWORD

CREATE ROLE lookup_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE lookup_reader LOGIN PASSWORD :'reader_password';
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication_password';

-- Only the owner of a database may make tables in its schema "public".
ALTER DATABASE :"DBNAME" OWNER TO lookup_owner;
-- The gateways may read what it makes from now on.
ALTER DEFAULT PRIVILEGES FOR ROLE lookup_owner IN SCHEMA public GRANT SELECT ON TABLES TO lookup_reader;
