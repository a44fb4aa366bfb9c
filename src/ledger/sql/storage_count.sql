-- Counts what a statement stores and deletes, for each account, in the same transaction. How many bytes a row counts for is
-- in its column counted_bytes, which Postgres itself computes.
--
-- Locks what storage_add locks. Runs once for each statement; for an update of a table whose rows change all the time, once for
-- each row whose bytes change. Returns nothing.
CREATE OR REPLACE FUNCTION storage_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'ROW' AND TG_ARGV[0] = 'refuses texts' THEN
    PERFORM storage_add(NEW.account_id, NEW.counted_bytes - OLD.counted_bytes, NEW.read_bytes > OLD.read_bytes);
  ELSIF TG_LEVEL = 'ROW' THEN
    PERFORM storage_add(NEW.account_id, NEW.counted_bytes - OLD.counted_bytes, TG_ARGV[0] = 'refuses');
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM storage_add(account_id, sum(counted_bytes)::bigint, TG_ARGV[0] = 'refuses')
      FROM added GROUP BY account_id HAVING sum(counted_bytes) <> 0;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM storage_add(account_id, -sum(counted_bytes)::bigint, false)
      FROM removed GROUP BY account_id HAVING sum(counted_bytes) <> 0;
  ELSE
    PERFORM storage_add(account_id, sum(bytes)::bigint, TG_ARGV[0] = 'refuses')
      FROM (
        SELECT account_id, counted_bytes AS bytes FROM added UNION ALL SELECT account_id, -counted_bytes FROM removed
      ) AS changes GROUP BY account_id HAVING sum(bytes) <> 0;
  END IF;
  RETURN NULL;
END $$;

-- Whether what is inserted and updated beyond the bound is refused, or only counted, because it has been paid for and must be
-- kept; null where nothing is to be counted then. Of a document what is read from it is refused, but not the reason why it
-- failed: it would be processed again for ever. Many rows are updated at once where it is for each statement.
DO $do$
DECLARE
  t record;
BEGIN
  FOR t IN SELECT * FROM (VALUES
    ('agents', 'refuses', 'refuses', 'row'),
    ('memories', 'refuses', 'refuses', 'statement'),
    ('stories', 'refuses', 'refuses', 'row'),
    ('documents', 'refuses', 'refuses texts', 'row'),
    ('rag_documents', 'refuses', 'refuses', 'row'),
    ('rag_chunks', 'refuses', 'refuses', 'row'),
    ('search_items', 'refuses', 'refuses', 'statement'),
    ('search_words', 'refuses', 'refuses', 'row'),
    ('webhooks', 'refuses', 'counts', 'row'),
    ('rooms', 'refuses', 'refuses', 'row'),
    ('room_events', 'refuses', 'refuses', 'row'),
    ('tasks', 'refuses', 'counts', 'row'),
    ('idempotency_claims', NULL, 'counts', 'statement')
  ) AS counted (name, inserts, updates, each)
  LOOP
    IF t.inserts IS NOT NULL THEN
      EXECUTE format('CREATE OR REPLACE TRIGGER storage_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION storage_count(%L)', t.name, t.inserts);
    END IF;
    EXECUTE format('CREATE OR REPLACE TRIGGER storage_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS removed
      FOR EACH STATEMENT EXECUTE FUNCTION storage_count()', t.name);
    EXECUTE format(CASE t.each
      WHEN 'row' THEN 'CREATE OR REPLACE TRIGGER storage_update AFTER UPDATE ON %I FOR EACH ROW
        WHEN (OLD.counted_bytes <> NEW.counted_bytes) EXECUTE FUNCTION storage_count(%L)'
      ELSE 'CREATE OR REPLACE TRIGGER storage_update AFTER UPDATE ON %I REFERENCING NEW TABLE AS added OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION storage_count(%L)'
    END, t.name, t.updates);
  END LOOP;
END $do$;
