const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be an id of ours; Postgres would answer anything else with an error instead of no row. */
export function isId(text: string): boolean {
  return ID.test(text);
}
