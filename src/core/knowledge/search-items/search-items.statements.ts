/** Locks the account's total for the transaction, and returns it. */
export const LOCK = `
  INSERT INTO search_totals (account_id, items) VALUES ($1, 0)
  ON CONFLICT (account_id) DO UPDATE SET items = search_totals.items RETURNING items`;

export const RECOUNT = 'UPDATE search_totals SET items = items + $2 WHERE account_id = $1';

export const COUNT_OF_IDS =
  'SELECT count(*)::integer AS count FROM search_items WHERE account_id = $1 AND id = ANY ($2)';

/**
 * Counts the items that have each word anew, from the CTEs `added_words (word)` and `removed_words (word)` with a row for each
 * item's word. A word that no item has any more is deleted, so that it corrects no query. A statement may change a row
 * only once, so each of the three takes rows of its own.
 */
function recountedWords(shapes: string): string {
  return `
  differences AS MATERIALIZED (
    SELECT word, sum(difference)::integer AS difference FROM (
      SELECT word, 1 AS difference FROM added_words UNION ALL SELECT word, -1 FROM removed_words
    ) AS changes GROUP BY word HAVING sum(difference) <> 0
  ), gone AS (
    DELETE FROM search_words AS w USING differences AS d
    WHERE w.account_id = $1 AND w.word = d.word AND d.difference < 0 AND w.items + d.difference <= 0
  ), rarer AS (
    UPDATE search_words AS w SET items = w.items + d.difference FROM differences AS d
    WHERE w.account_id = $1 AND w.word = d.word AND d.difference < 0 AND w.items + d.difference > 0
  )${shapes}`;
}

// The clocks of replicas differ. When one that is behind replaces an item, its updated_at must not fall below created_at.
export const UPSERT = `
  WITH item AS MATERIALIZED (
    SELECT *, string_to_array(words, ' ') AS known_words
    FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::text[], $10::text[],
      $11::text[], $12::text[])
      AS item (id, title, content, url, metadata, is_stemmed, configuration, title_words, content_words, words)
  ), old AS MATERIALIZED (
    SELECT id, known_words FROM search_items WHERE account_id = $1 AND id = ANY ($3)
  ), stored AS (
    INSERT INTO search_items AS s
      (account_id, id, title, content, url, metadata, created_at, updated_at, is_stemmed, known_words, search)
    SELECT $1, id, title, content, url, metadata::jsonb, $2, $2, is_stemmed, known_words,
      setweight(to_tsvector(configuration::regconfig, title_words), 'A')
        || to_tsvector(configuration::regconfig, content_words)
    FROM item ORDER BY id COLLATE "C"
    ON CONFLICT (account_id, id) DO UPDATE SET
      title = excluded.title, content = excluded.content, url = excluded.url, metadata = excluded.metadata,
      is_stemmed = excluded.is_stemmed, known_words = excluded.known_words, search = excluded.search,
      updated_at = greatest(excluded.updated_at, s.updated_at)
  ), added_words AS (
    SELECT unnest(known_words) COLLATE "C" AS word FROM item
  ), removed_words AS (
    SELECT unnest(known_words) COLLATE "C" AS word FROM old
  ), ${recountedWords(`, shapes AS (
    SELECT word COLLATE "C" AS word, shape
    FROM unnest(string_to_array($13, ' '), string_to_array($14, ' ')) AS shape (word, shape)
  ), more_frequent AS (
    INSERT INTO search_words AS w (account_id, word, shape, items)
    SELECT $1, word, shape, difference FROM differences JOIN shapes USING (word) WHERE difference > 0
    ON CONFLICT (account_id, word) DO UPDATE SET items = w.items + excluded.items
  )`)}
  SELECT item.id, old.id IS NULL AS created FROM item LEFT JOIN old ON old.id = item.id`;

export const REMOVE = `
  WITH removed AS (
    DELETE FROM search_items WHERE account_id = $1 AND id = $2 RETURNING id, known_words
  ), added_words AS (
    SELECT '' COLLATE "C" AS word WHERE false
  ), removed_words AS (
    SELECT unnest(known_words) COLLATE "C" AS word FROM removed
  ), ${recountedWords('')}
  SELECT id FROM removed`;
