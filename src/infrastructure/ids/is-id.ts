const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Whether a text has the form of an id. For any other text Postgres would report an error instead of finding no row.
 */
export function isId(text: string): boolean {
  return ID.test(text);
}
