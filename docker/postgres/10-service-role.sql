-- The role that the service connects as. It owns the database `app` and what is in it, which migrations need, and has no
-- rights beyond that: not those of a superuser, who may read the server's files and run programs on it.
--
-- The image of Postgres runs this once, as superuser, when its volume is empty. It may be run again: for a volume that
-- was made before there was this role, and to set another password.
\getenv password DATABASE_PASSWORD
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
    SELECT oid::regclass FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
  LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO service', v_name);
  END LOOP;
  FOR v_name IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace LOOP
    EXECUTE format('ALTER ROUTINE %s OWNER TO service', v_name);
  END LOOP;
END $$;
