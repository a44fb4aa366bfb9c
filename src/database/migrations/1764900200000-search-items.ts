import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The items that accounts search, and the words by which mistyped queries are corrected, each with the number of items
 * that have it. btree_gin and pg_trgm come with Postgres, and the owner of a database may install them. The key of the words
 * begins with the word: were it the account, Postgres would read all words of an account of which it has no statistics yet.
 * One item of 64 is in the sample, from which a search learns how frequent a word is. The indices of words have no pending
 * lists, which every search would have to read.
 */
export class SearchItems1764900200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS btree_gin;
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE TABLE search_totals (
        account_id uuid PRIMARY KEY REFERENCES accounts,
        items integer NOT NULL
      );
      CREATE TABLE search_items (
        account_id uuid NOT NULL REFERENCES accounts,
        id text COLLATE "C" NOT NULL,
        title text,
        content text NOT NULL,
        url text,
        metadata jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        is_stemmed boolean NOT NULL,
        known_words text[] NOT NULL,
        search tsvector NOT NULL,
        is_sampled boolean NOT NULL DEFAULT random() < 1.0 / 64,
        PRIMARY KEY (account_id, id)
      );
      CREATE INDEX search_items_search ON search_items USING gin (account_id, search) WITH (fastupdate = off);
      CREATE INDEX search_items_sample ON search_items USING gin (account_id, search) WITH (fastupdate = off)
        WHERE is_sampled;
      CREATE INDEX search_items_metadata ON search_items USING gin (account_id, metadata jsonb_path_ops);
      CREATE TABLE search_words (
        account_id uuid NOT NULL REFERENCES accounts,
        word text COLLATE "C" NOT NULL,
        shape text COLLATE "C" NOT NULL,
        items integer NOT NULL,
        PRIMARY KEY (word, account_id)
      ) WITH (fillfactor = 80);
      CREATE INDEX search_words_shape ON search_words USING gin (account_id, shape gin_trgm_ops);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE search_words; DROP TABLE search_items; DROP TABLE search_totals');
  }
}
