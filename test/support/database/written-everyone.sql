-- Tests write rows of accounts through the views of all accounts (schema `everyone`), which the service itself only reads.
CREATE FUNCTION everyone.schema_of(p_account text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'acc_' || CASE WHEN substr(p_account, 15, 1) = '8' THEN ('x' || substr(p_account, 16, 3))::bit(12)::integer ELSE 0 END
$$;

-- The one function that they call for an account.
CREATE FUNCTION everyone.webhook_subscriptions(p_account uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_path text := current_setting('search_path');
  v_schema text := everyone.schema_of(p_account::text);
BEGIN
  PERFORM set_config('search_path', v_schema || ', public', true);
  EXECUTE format('SELECT %I.webhook_subscriptions($1)', v_schema) USING p_account;
  PERFORM set_config('search_path', v_path, true);
END $$;

CREATE FUNCTION everyone.write_through() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_schema text;
  v_columns text;
  v_key text;
  v_count integer;
  v_given jsonb := to_jsonb(NEW);
BEGIN
  IF TG_OP = 'INSERT' THEN
    v_schema := everyone.schema_of(coalesce(v_given ->> 'account_id', v_given ->> 'id'));
    -- What is not given has the table's own default.
    SELECT string_agg(quote_ident(attname), ', ') INTO v_columns FROM pg_attribute
      WHERE attrelid = format('%I.%I', v_schema, TG_TABLE_NAME)::regclass AND attnum > 0 AND NOT attisdropped
        AND attgenerated = '' AND attidentity <> 'a' AND (NOT atthasdef OR v_given ->> attname IS NOT NULL);
    EXECUTE format('INSERT INTO %I.%I (%s) SELECT %s FROM (SELECT ($1).*) AS given',
      v_schema, TG_TABLE_NAME, v_columns, v_columns) USING NEW;
    RETURN NEW;
  END IF;
  SELECT string_agg(quote_ident(attname), ', ') INTO v_columns FROM pg_attribute
    WHERE attrelid = format('acc_0.%I', TG_TABLE_NAME)::regclass AND attnum > 0 AND NOT attisdropped
      AND attgenerated = '' AND attidentity <> 'a';
  SELECT string_agg(format('t.%1$I IS NOT DISTINCT FROM ($1).%1$I', attname), ' AND ') INTO v_key
    FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey)
    WHERE indrelid = format('acc_0.%I', TG_TABLE_NAME)::regclass AND (indisprimary OR indnullsnotdistinct);
  FOR v_schema IN SELECT nspname FROM pg_namespace WHERE nspname ~ '^acc_[0-9]+$' LOOP
    IF TG_OP = 'UPDATE' THEN
      EXECUTE format('UPDATE %I.%I AS t SET (%s) = (SELECT %s FROM (SELECT ($2).*) AS given) WHERE %s',
        v_schema, TG_TABLE_NAME, v_columns, v_columns, coalesce(v_key, 'true')) USING OLD, NEW;
    ELSE
      EXECUTE format('DELETE FROM %I.%I AS t WHERE %s', v_schema, TG_TABLE_NAME, coalesce(v_key, 'true')) USING OLD;
    END IF;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    EXIT WHEN v_count > 0 AND v_key IS NOT NULL;
  END LOOP;
  RETURN coalesce(NEW, OLD);
END $$;

DO $$
DECLARE
  v_view text;
BEGIN
  FOR v_view IN SELECT relname FROM pg_class WHERE relnamespace = 'everyone'::regnamespace AND relkind = 'v' LOOP
    EXECUTE format('CREATE TRIGGER write_through INSTEAD OF INSERT OR UPDATE OR DELETE ON everyone.%I
      FOR EACH ROW EXECUTE FUNCTION everyone.write_through()', v_view);
  END LOOP;
END $$;
