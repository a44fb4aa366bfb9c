-- Refuses every change of what admins did: whoever can make a change by the service can't hide it there.
--
-- Locks nothing and returns nothing: it makes the statement fail that tries such a change.
CREATE OR REPLACE FUNCTION refuse_admin_action_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'actions of admins are never changed or deleted';
END $$;

CREATE OR REPLACE TRIGGER admin_actions_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON admin_actions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_admin_action_change();
