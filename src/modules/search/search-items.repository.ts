import { Injectable } from '@nestjs/common';
import { Column, Entity, type EntityManager, In, LessThanOrEqual, PrimaryColumn } from 'typeorm';
import { AccountRows, RETRIED_FOR_MS } from '../../accounts/account-rows';
import { AccountDatabases } from '../../database/account-databases';
import { boundedPage, type BoundedPage, pageOf } from '../../database/bounded-statements';
import { Conflict } from '../../errors/api-errors';
import { anyWordOf, eachOf, rankedByWords, unplanned } from '../../retrieval/full-text-search';
import { createdId, isChosenId, newId } from '../../runtime/ids';
import { isCorrectable, QUERY_WORDS_MAX, type SearchQuery, wordShape } from '../../text/search-query';
import { textSearchConfiguration } from '../../text/searchable-text';
import { SNIPPET_LENGTH_MAX } from '../../text/text-snippet';
import { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';

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

export type SearchItemFields = Pick<SearchItemEntity, 'id' | 'title' | 'content' | 'url' | 'metadata'>;

const LOCK = `
  INSERT INTO search_totals (account_id, items) VALUES ($1, 0)
  ON CONFLICT (account_id) DO UPDATE SET items = search_totals.items RETURNING items`;

const RECOUNT = 'UPDATE search_totals SET items = items + $2 WHERE account_id = $1';

const COUNT_OF_IDS =
  'SELECT count(*)::integer AS count FROM search_items WHERE account_id = $1 AND id = ANY ($2)';

/**
 * Unused words are deleted, so that they correct no query. A statement may change a row once, so each of
 * the three takes other rows.
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

// Clocks of replicas differ: a replica that is behind must not set updated_at below created_at.
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

@Injectable()
export class SearchItemsRepository extends AccountRows<SearchItemEntity> {
  constructor(
    databases: AccountDatabases,
    private readonly threads: TextThreads,
  ) {
    super(databases, SearchItemEntity, { name: 'search item', isKey: isChosenId });
  }

  /** Each item's own, or one that is made: a retry of the call gets its first try's, if RETRIED_FOR_MS is not over. */
  async idsOf(
    accountId: string,
    items: readonly { readonly id?: string }[],
    { idempotencyId, now }: { idempotencyId: string | null; now: Date },
  ): Promise<string[]> {
    const ids = items.map(({ id }, place) => id ?? createdId(idempotencyId && `${idempotencyId}:${place}`));
    if (idempotencyId === null) {
      return ids;
    }
    const createdAt = LessThanOrEqual(new Date(now.getTime() - RETRIED_FOR_MS));
    const old = await this.repository(accountId).find({
      select: { id: true },
      where: { accountId, id: In(ids), createdAt },
    });
    const taken = new Set(old.map(({ id }) => id));
    return ids.map((id, place) => (items[place]?.id === undefined && taken.has(id) ? newId() : id));
  }

  /** The last of one id is stored. Writers of an account wait for its total's row, so that they cannot deadlock. */
  async upsert(
    accountId: string,
    items: readonly SearchItemFields[],
    { now, signal }: { now: Date; signal?: AbortSignal },
  ): Promise<{ id: string; created: boolean }[]> {
    const distinct = [...new Map(items.map((item) => [item.id, item])).values()];
    const values = await this.valuesOf(distinct, signal);
    const created = await this.transaction(accountId, async (manager) => {
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

  override async remove(accountId: string, id: string): Promise<void> {
    if (!isChosenId(id)) {
      this.missing();
    }
    await this.transaction(accountId, async (manager) => {
      await this.lockedTotal(manager, accountId);
      const removed: unknown[] = await manager.query(REMOVE, [accountId, id]);
      if (removed.length === 0) {
        this.missing();
      }
      await manager.query(RECOUNT, [accountId, -removed.length]);
    });
  }

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

const CANDIDATES_MAX = 1_000;
const COUNTED_MAX = 10_000;
const TITLE_WEIGHT = 3;
/** Each correction searches all the account's words. */
const CORRECTED_WORDS_MAX = 16;

export interface ItemPage {
  limit: number;
  offset: number;
  metadata: Record<string, unknown> | null;
  sort: 'score' | 'created_at' | 'updated_at' | 'title';
  order: 'asc' | 'desc';
}

export type FoundItem = Pick<SearchItemEntity, 'id' | 'title' | 'url' | 'metadata'> & {
  contentStart: string;
  isStemmed: boolean;
  score: number;
};

@Injectable()
export class FoundItemsRepository {
  constructor(private readonly databases: AccountDatabases) {}

  async lexemes(accountId: string, words: string): Promise<string[] | null> {
    const [row]: { lexemes: string[] | null }[] = await this.databases
      .of(accountId)
      .query(LEXEMES, [words, QUERY_WORDS_MAX]);
    return row?.lexemes ?? null;
  }

  /** A total of 10,000 means at least as many. Of more than 1,000 items only the best, or first, are paged. */
  async page(
    accountId: string,
    asked: Pick<SearchQuery, 'wanted' | 'phrases' | 'excluded'>,
    page: ItemPage & { contentLength: number },
  ): Promise<BoundedPage<FoundItem> & { total: number }> {
    const matching = [
      accountId,
      page.metadata === null ? null : JSON.stringify(page.metadata),
      asked.wanted,
      asked.phrases,
      asked.excluded,
    ];
    const database = this.databases.of(accountId);
    const [count]: { total: string }[] = await database.query(countOf(page.metadata !== null), matching);
    const total = Number(count?.total);
    if (total <= page.offset) {
      return { items: [], isTruncated: false, total };
    }
    const rows: (FoundItem & { listed: number })[] = await database.query(rankedPage(page), [
      ...matching,
      page.limit,
      page.offset,
      page.contentLength,
    ]);
    return { ...pageOf<FoundItem>(rows), total };
  }

  /** The closest of the account's words shares a third of all trigrams, which is pg_trgm's threshold. */
  async corrections(accountId: string, words: readonly string[]): Promise<Map<string, string>> {
    const first = [...new Set(words)].filter(isCorrectable).slice(0, CORRECTED_WORDS_MAX);
    const rows: { mistyped: string; word: string }[] = await this.databases
      .of(accountId)
      .query(CORRECTIONS, [accountId, first, first.map(wordShape)]);
    return new Map(rows.map(({ mistyped, word }) => [mistyped, word]));
  }
}

const LEXEMES = 'SELECT first_words($1, $2) AS lexemes';

const CHOSEN = 'account_id = $1 AND ($2::jsonb IS NULL OR metadata @> $2)';
const NARROWED = (query: string) =>
  `narrowed_query(${query}, phrases_query($4::text[], '&'), phrases_query($5::text[], '|'))`;

const MATCHING = anyWordOf('$3', NARROWED);

function countOf(isFiltered: boolean): string {
  const query = isFiltered ? MATCHING : unplanned(MATCHING);
  return `SELECT count(*) AS total FROM (
    SELECT FROM search_items WHERE ${CHOSEN} AND search @@ ${query} LIMIT ${COUNTED_MAX}) AS counted`;
}

const TOTAL = `CASE WHEN $2::jsonb IS NULL THEN (SELECT items FROM search_totals WHERE account_id = $1)
  ELSE (SELECT count(*) FROM (SELECT FROM search_items WHERE ${CHOSEN} LIMIT ${COUNTED_MAX}) AS counted) END`;

function rankedPage({ sort, order: direction }: ItemPage): string {
  const way = direction === 'asc' ? 'ASC' : 'DESC';
  const sorted = sort === 'title' ? `title IS NULL, title COLLATE "C"` : sort;
  const order = `${sorted} ${way}, id`;
  const ranked = rankedByWords({
    table: 'search_items',
    chosen: CHOSEN,
    filtered: `$2::jsonb IS NOT NULL OR $4::text[] <> '{}' OR $5::text[] <> '{}'`,
    sampled: 'is_sampled',
    total: TOTAL,
    words: '$3',
    narrowed: NARROWED,
    candidatesMax: CANDIDATES_MAX,
    headingWeight: TITLE_WEIGHT,
    ...(sort === 'score' ? {} : { candidatesOrder: order }),
  });
  const best = `SELECT by_key.*, score FROM ${eachOf('scores', 'search_items')}
    ORDER BY ${order} LIMIT $6 OFFSET $7`;
  return `WITH ${ranked}, best AS (${best})
    ${boundedPage({ ...SIZE, rows: 'SELECT * FROM best', order, columns: COLUMNS })}`;
}

const COLUMNS = `id, title, left(content, $8) AS "contentStart", url, metadata, is_stemmed AS "isStemmed", score`;

/** A snippet has at most six bytes and half a highlight of 30 bytes per character, the rest less than 400. */
const SIZE = {
  storedBytes: `coalesce(octet_length(title), 0)`,
  jsonBytes: `coalesce(octet_length(to_json(title)::text), 0) + coalesce(octet_length(to_json(url)::text), 0)
    + octet_length(metadata::text) + ${400 + SNIPPET_LENGTH_MAX * (6 + 15)}`,
};

const CORRECTIONS = `
  SELECT mistyped, closest.word FROM unnest($2::text[], $3::text[]) AS asked (mistyped, shape)
  CROSS JOIN LATERAL (
    SELECT word FROM search_words WHERE account_id = $1 AND search_words.shape % asked.shape
    ORDER BY similarity(search_words.shape, asked.shape) DESC, items DESC, word LIMIT 1
  ) AS closest
  WHERE first_words(mistyped, 1) IS NOT NULL AND NOT EXISTS (
    SELECT FROM search_items WHERE account_id = $1 AND search @@ any_word(first_words(mistyped, 1)))`;
