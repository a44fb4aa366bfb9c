import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { Conflict } from '../../errors/api-errors';
import { textSearchConfiguration } from '../../retrieval/full-text-search';
import { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import { AccountRows } from '../../accounts/account-rows';
import { isChosenId } from '../../runtime/ids';

/** Something that an account searches, by an id of its own. What is indexed of it stands in further columns. */
@Entity('search_items')
export class SearchItemEntity {
  @PrimaryColumn('uuid') accountId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { nullable: true }) title!: string | null;
  @Column('text') content!: string;
  @Column('text', { nullable: true }) url!: string | null;
  @Column('jsonb') metadata!: Record<string, unknown>;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}

/** The fields of an item that its owner sets. */
export type SearchItemFields = Pick<SearchItemEntity, 'id' | 'title' | 'content' | 'url' | 'metadata'>;

/** Locks the account's total for the transaction, and returns it. */
const LOCK = `
  INSERT INTO search_totals (account_id, items) VALUES ($1, 0)
  ON CONFLICT (account_id) DO UPDATE SET items = search_totals.items RETURNING items`;

const RECOUNT = 'UPDATE search_totals SET items = items + $2 WHERE account_id = $1';

const COUNT_OF_IDS =
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
const UPSERT = `
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

const REMOVE = `
  WITH removed AS (
    DELETE FROM search_items WHERE account_id = $1 AND id = $2 RETURNING id, known_words
  ), added_words AS (
    SELECT '' COLLATE "C" AS word WHERE false
  ), removed_words AS (
    SELECT unnest(known_words) COLLATE "C" AS word FROM removed
  ), ${recountedWords('')}
  SELECT id FROM removed`;

const ITEMS_PER_ACCOUNT_MAX = 100_000;
const STEMMED = textSearchConfiguration('en');

/** The items in Postgres, with the words by which they are found and mistyped queries are corrected. */
@Injectable()
export class SearchItemsRepository extends AccountRows<SearchItemEntity> {
  constructor(
    database: DataSource,
    private readonly threads: TextThreads,
  ) {
    super(database, SearchItemEntity, { name: 'search item', isKey: isChosenId });
  }

  /**
   * Stores all items or none, and returns for each whether it is new. An item replaces the one with the same id; of
   * several with one id the last is stored. Writers of one account wait for each other at the row of its total, so
   * that the words of all its items are counted without a deadlock.
   * @throws Conflict when the account would have more than 100,000 items, and what TextThreads.run throws
   */
  async upsert(
    accountId: string,
    items: readonly SearchItemFields[],
    { now, signal }: { now: Date; signal?: AbortSignal },
  ): Promise<{ id: string; created: boolean }[]> {
    const distinct = [...new Map(items.map((item) => [item.id, item])).values()];
    const values = await this.valuesOf(distinct, signal);
    const created = await this.database.transaction(async (manager) => {
      const ids = distinct.map(({ id }) => id);
      const total = await this.lockedTotal(manager, accountId);
      const [present]: { count: number }[] = await manager.query(COUNT_OF_IDS, [accountId, ids]);
      const added = ids.length - Number(present?.count);
      if (added > 0 && total + added > ITEMS_PER_ACCOUNT_MAX) {
        throw new Conflict(
          `An account has at most ${ITEMS_PER_ACCOUNT_MAX} search items; delete some first.`,
        );
      }
      const rows: { id: string; created: boolean }[] = await manager.query(UPSERT, [
        accountId,
        now,
        ...values,
      ]);
      await manager.query(RECOUNT, [accountId, added]);
      return new Map(rows.map((row) => [row.id, row.created]));
    });
    return items.map(({ id }) => ({ id, created: created.get(id) === true }));
  }

  /** @throws NotFound where the account has no such item */
  override async remove(accountId: string, id: string): Promise<void> {
    if (!isChosenId(id)) {
      this.missing();
    }
    await this.database.transaction(async (manager) => {
      await this.lockedTotal(manager, accountId);
      const removed: unknown[] = await manager.query(REMOVE, [accountId, id]);
      if (removed.length === 0) {
        this.missing();
      }
      await manager.query(RECOUNT, [accountId, -removed.length]);
    });
  }

  /** How many items the account has; its other writers wait until the transaction ends. */
  private async lockedTotal(manager: EntityManager, accountId: string): Promise<number> {
    const [row]: { items: number }[] = await manager.query(LOCK, [accountId]);
    return Number(row?.items);
  }

  private async valuesOf(items: readonly SearchItemFields[], signal?: AbortSignal): Promise<unknown[]> {
    const titles = items.map(({ title }) => title ?? '');
    const contents = items.map(({ content }) => content);
    const texts = [...titles, ...contents];
    const indexed = await this.threads.run(textJobs.indexTexts, { titles, contents }, texts, signal);
    const configurations = indexed.languages.map(textSearchConfiguration);
    return [
      items.map(({ id }) => id),
      items.map(({ title }) => title),
      contents,
      items.map(({ url }) => url),
      items.map(({ metadata }) => JSON.stringify(metadata)),
      configurations.map((configuration) => configuration === STEMMED),
      configurations,
      indexed.titleWords,
      indexed.contentWords,
      indexed.knownWords,
      indexed.distinctWords,
      indexed.shapes,
    ];
  }
}
