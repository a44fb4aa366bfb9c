-- Adds the credits that a statement wrote to the hourly sums of their accounts. It does so in the same transaction, so
-- the sums are exact at every commit. The charges of calls are added by usage_roll_up.
--
-- Locks the rows of ledger_hours in the order of their key. Entries are only written while their account's balance is
-- locked, so no transaction ever has to wait here.
--
-- Runs once for each statement and returns nothing.
CREATE OR REPLACE FUNCTION ledger_hours_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_hours AS h (account_id, hour, type, entries, amount_nano, first_position, last_position)
  SELECT account_id, date_bin('1 hour', created_at, '2000-01-01T00:00Z'), type, count(*), sum(amount_nano),
    min(position), max(position)
  FROM new_entries GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (account_id, hour, type) DO UPDATE SET
    entries = h.entries + excluded.entries,
    amount_nano = h.amount_nano + excluded.amount_nano,
    first_position = least(h.first_position, excluded.first_position),
    last_position = greatest(h.last_position, excluded.last_position);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER ledger_hours_add
  AFTER INSERT ON credits REFERENCING NEW TABLE AS new_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_hours_add();
