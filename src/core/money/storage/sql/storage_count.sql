-- Counts what a statement stores and deletes, for each account, in the same transaction. What is counted of a row is given
-- to the trigger as an expression over its columns: the bytes of its texts, and 256 for the rest of it and its place in the
-- indexes. octet_length() of a text does not load it.
--
-- Locks what storage_add locks. Runs once for each statement, or for each row where only some columns matter of a table
-- whose rows change all the time. Returns nothing.
CREATE OR REPLACE FUNCTION storage_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_refuses boolean := TG_ARGV[1] = 'refuses';
  v_rows text := 'SELECT account_id, %s (%s)::bigint AS bytes FROM %s';
  v_from text;
  v record;
BEGIN
  IF TG_LEVEL = 'ROW' THEN
    EXECUTE format('SELECT (SELECT %1$s FROM (SELECT ($1).*) AS new) - (SELECT %1$s FROM (SELECT ($2).*) AS old) AS bytes',
      TG_ARGV[0]) INTO v USING NEW, OLD;
    IF v.bytes <> 0 THEN
      PERFORM storage_add(NEW.account_id, v.bytes, v_refuses);
    END IF;
    RETURN NULL;
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM FROM added LIMIT 1;
    v_from := format(v_rows, '', TG_ARGV[0], 'added');
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM FROM removed LIMIT 1;
    v_from := format(v_rows, '-', TG_ARGV[0], 'removed');
  ELSE
    PERFORM FROM added LIMIT 1;
    v_from := format(v_rows, '', TG_ARGV[0], 'added') || ' UNION ALL ' || format(v_rows, '-', TG_ARGV[0], 'removed');
  END IF;
  IF FOUND THEN
    FOR v IN EXECUTE format(
      'SELECT account_id, sum(bytes)::bigint AS bytes FROM (%s) AS changes GROUP BY account_id HAVING sum(bytes) <> 0', v_from)
    LOOP
      PERFORM storage_add(v.account_id, v.bytes, v_refuses);
    END LOOP;
  END IF;
  RETURN NULL;
END $$;

-- The tables that are counted; where an insert and an update are refused, or only counted, because what has been paid for
-- must be kept; and the columns of an update that matter, null for all, '' where none does. Answers of an Idempotency-Key
-- are stored by an update. A chunk counts 4 KiB for its vector. The tables are locked in this order, that of a
-- task's end last.
--
-- Counts all anew whenever this file has changed. The triggers lock the tables, so nothing is stored meanwhile.
DO $do$
DECLARE
  t record;
  v_each text;
BEGIN
  CREATE TEMPORARY TABLE counted_anew (account_id uuid NOT NULL, bytes numeric NOT NULL) ON COMMIT DROP;
  FOR t IN SELECT * FROM (VALUES
    ('agents', 'refuses', 'refuses', NULL,
      'octet_length(name) + coalesce(octet_length(system_prompt), 0) + octet_length(memory_namespace)
        + octet_length(metadata::text) + 256'),
    ('memories', 'refuses', 'refuses', NULL,
      'octet_length(namespace) + octet_length(key) + octet_length(value) + octet_length(metadata::text) + 256'),
    ('stories', 'refuses', 'refuses', '',
      'octet_length(title) + octet_length(content) + octet_length(acts::text) + octet_length(prompt)
        + octet_length(characters::text) + 256'),
    ('documents', 'refuses', 'refuses', 'name, title, metadata, size_bytes, read_bytes',
      'size_bytes::bigint + read_bytes + octet_length(name) + octet_length(title) + octet_length(metadata::text) + 256'),
    ('rag_documents', 'refuses', 'refuses', NULL, 'octet_length(content) + octet_length(metadata::text) + 256'),
    ('rag_chunks', 'refuses', 'refuses', '',
      'octet_length(content) + coalesce(octet_length(heading), 0) + 4096 + 256'),
    ('search_items', 'refuses', 'refuses', NULL,
      'coalesce(octet_length(title), 0) + octet_length(content) + coalesce(octet_length(url), 0)
        + octet_length(metadata::text) + 256'),
    ('search_words', 'refuses', 'refuses', '', 'octet_length(word) + octet_length(shape) + 64'),
    ('webhooks', 'refuses', 'counts', 'url, description',
      'octet_length(url) + coalesce(octet_length(description), 0) + 256'),
    ('rooms', 'refuses', 'refuses', 'state', 'octet_length(name) + octet_length(state) + 256'),
    ('room_events', 'refuses', 'refuses', '',
      'octet_length(data) + coalesce(octet_length(idempotency_key), 0) + 256'),
    ('tasks', 'refuses', 'counts', 'parameters, result, error',
      'octet_length(parameters) + coalesce(octet_length(result), 0) + coalesce(octet_length(error::text), 0) + 256'),
    ('idempotency_claims', NULL, 'counts', NULL, 'CASE WHEN answer IS NULL THEN 0 ELSE octet_length(answer) + 256 END')
  ) AS counted (name, inserts, updates, columns, bytes)
  LOOP
    v_each := format('FOR EACH STATEMENT EXECUTE FUNCTION storage_count(%L, ', t.bytes);
    EXECUTE format('CREATE OR REPLACE TRIGGER storage_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS removed %s%L)',
      t.name, v_each, 'counts');
    IF t.inserts IS NOT NULL THEN
      EXECUTE format('CREATE OR REPLACE TRIGGER storage_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS added %s%L)',
        t.name, v_each, t.inserts);
    END IF;
    IF t.columns IS NULL THEN
      EXECUTE format('CREATE OR REPLACE TRIGGER storage_update AFTER UPDATE ON %I
        REFERENCING NEW TABLE AS added OLD TABLE AS removed %s%L)', t.name, v_each, t.updates);
    ELSIF t.columns <> '' THEN
      EXECUTE format('CREATE OR REPLACE TRIGGER storage_update AFTER UPDATE OF %s ON %I
        FOR EACH ROW EXECUTE FUNCTION storage_count(%L, %L)', t.columns, t.name, t.bytes, t.updates);
    END IF;
    EXECUTE format('INSERT INTO counted_anew SELECT account_id, sum(%s) FROM %I GROUP BY account_id', t.bytes, t.name);
  END LOOP;
  DELETE FROM stored_bytes;
  INSERT INTO stored_bytes (account_id, bytes)
    SELECT account_id, sum(bytes) FROM counted_anew GROUP BY account_id HAVING sum(bytes) > 0;
  DROP TABLE counted_anew;
END $do$;
