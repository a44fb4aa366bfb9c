-- The role that the service connects as. It owns the database `app` and what is in it, which migrations need, and has no
-- rights beyond that: not those of a superuser, who may read the server's files and run programs on it.
--
-- The image of Postgres runs this once, as superuser, when its volume is empty. It may be run again: for a volume that
-- was made before there was this role, and to set another password.
\set password `cat /run/secrets/database_password`
\set ON_ERROR_STOP on

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'service') THEN
    CREATE ROLE service;
  END IF;
END $$;
ALTER ROLE service LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
ALTER DATABASE app OWNER TO service;
REVOKE ALL ON DATABASE app FROM PUBLIC;

-- What a superuser made before.
DO $$
DECLARE
  v_name text;
BEGIN
  FOR v_name IN
    SELECT c.oid::regclass FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'bullmq') AND c.relkind IN ('r', 'p', 'v')
  LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO service', v_name);
  END LOOP;
  FOR v_name IN
    SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname IN ('public', 'bullmq')
  LOOP
    EXECUTE format('ALTER ROUTINE %s OWNER TO service', v_name);
  END LOOP;
  -- The queue's, which a superuser has made only where the service once ran as one.
  IF EXISTS (SELECT FROM pg_namespace WHERE nspname = 'bullmq') THEN
    ALTER SCHEMA bullmq OWNER TO service;
    FOR v_name IN
      SELECT oid::regclass FROM pg_class WHERE relnamespace = 'bullmq'::regnamespace AND relkind = 'S'
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype IN ('a', 'i'))
    LOOP
      EXECUTE format('ALTER SEQUENCE %s OWNER TO service', v_name);
    END LOOP;
  END IF;
END $$;
