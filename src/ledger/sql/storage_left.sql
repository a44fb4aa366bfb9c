-- How many more bytes an account may store; negative where it stores more than it may.
--
-- Locks nothing, and does not see what others are just storing. Returns null where there is no such account.
CREATE OR REPLACE FUNCTION storage_left(p_account uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN storage_bound(p_account)
    - coalesce((SELECT sum(bytes) FROM stored_bytes WHERE account_id = p_account), 0)::bigint;
END $$;
