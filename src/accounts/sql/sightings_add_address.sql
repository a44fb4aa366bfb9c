-- Notes that a key was used from an address in an hour, unless p_max addresses of the key are known in that hour already.
-- p_address is any text that stands for the address.
--
-- Locks the key's sightings by an advisory lock, and only then counts: of two replicas that see new addresses at once
-- the second sees the first's.
--
-- Returns how many addresses of the key are known in the hour now, at most p_max.
CREATE OR REPLACE FUNCTION sightings_add_address(
  p_key uuid,
  p_hour timestamptz,
  p_address text,
  p_max integer
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_count integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('sightings:' || p_key, 0));
  SELECT count(*) INTO v_count FROM sightings
    WHERE key_id = p_key AND hour = p_hour AND kind = 'many_addresses';
  IF v_count < p_max THEN
    INSERT INTO sightings (key_id, hour, kind, seen, calls) VALUES (p_key, p_hour, 'many_addresses', p_address, 1)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
      v_count := v_count + 1;
    END IF;
  END IF;
  RETURN v_count;
END $$;
