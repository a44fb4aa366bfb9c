-- Refuses every change of a credit, and of a call, which is an entry of the ledger and its receipt. To correct an entry,
-- another one is written.
--
-- Locks nothing and returns nothing: it makes the statement fail that tries such a change.
CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger entries are never changed or deleted';
END $$;

CREATE OR REPLACE TRIGGER credits_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON credits
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

CREATE OR REPLACE TRIGGER calls_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON calls
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
