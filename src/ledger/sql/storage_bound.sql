-- How many bytes an account may store in all: 10 MiB, and 128 MiB for each USD that it has ever paid, which are its deposits
-- and the credit and corrections of admins, but no gifts (bonus). What it has spent of that counts too. Where
-- accounts.storage_bytes_max is set, that many.
--
-- Locks nothing. Returns null where there is no such account.
CREATE OR REPLACE FUNCTION storage_bound(p_account uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_own bigint;
  v_paid_nano numeric;
BEGIN
  SELECT storage_bytes_max INTO v_own FROM accounts WHERE id = p_account;
  IF NOT FOUND OR v_own IS NOT NULL THEN
    RETURN v_own;
  END IF;
  SELECT greatest(0, sum(amount_nano)) INTO v_paid_nano FROM credits
    WHERE account_id = p_account AND type IN ('deposit', 'adjustment');
  RETURN (10 * 1024 * 1024 + trunc(coalesce(v_paid_nano, 0) * (128 * 1024 * 1024) / 1000000000))::bigint;
END $$;
