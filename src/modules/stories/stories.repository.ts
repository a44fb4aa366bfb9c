import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, MoreThan, type EntityManager, type Repository } from 'typeorm';
import { holdCap } from '../../accounts/accounts';
import { boundedPage, pageOf, type BoundedPage } from '../../database/bounded-statements';
import { Conflict, NotFound, Unprocessable } from '../../errors/api-errors';
import { refuseFullStorage } from '../../ledger/storage-limit';
import { isId } from '../../runtime/ids';
import { StoryRecord, type StoryWish } from './story-order';

const STORIES_PER_ACCOUNT_MAX = 10_000;
/** So much room there has to be before a story is written; few are a tenth as long. */
const STORY_BYTES_MAX = 256 * 1024;
/** As long as an Idempotency-Key is remembered; after that the same key means another story. */
const RETRIED_FOR_MS = 24 * 60 * 60 * 1000;

/** Which of an account's stories are wanted, and in what order; null means no condition. */
export interface StoryPage {
  createdFrom: Date | null;
  createdBefore: Date | null;
  limit: number;
  offset: number;
  sort: 'created_at' | 'title';
  order: 'asc' | 'desc';
}

/** The try of a call: the account, the call's id if it has an Idempotency-Key, and the time. */
export interface StoryTry {
  readonly accountId: string;
  readonly idempotencyId: string | null;
  readonly now: Date;
}

/** The stories in Postgres. */
@Injectable()
export class StoriesRepository {
  private readonly repository: Repository<StoryRecord>;

  constructor(private readonly database: DataSource) {
    this.repository = database.getRepository(StoryRecord);
  }

  /** @throws Conflict when the account has 10,000 stories or no room for one, so that no story is written that cannot be stored */
  async refuseFull(accountId: string): Promise<void> {
    if ((await this.repository.countBy({ accountId })) >= STORIES_PER_ACCOUNT_MAX) {
      throw full();
    }
    await refuseFullStorage(this.database, accountId, STORY_BYTES_MAX);
  }

  /**
   * The story that an earlier try of the same call has stored; null where there is none, and for a call without an
   * Idempotency-Key.
   * @throws Unprocessable when that call asked for another story
   */
  async earlier(asked: StoryTry, wish: StoryWish): Promise<StoryRecord | null> {
    return earlierOf(this.database.manager, asked, wish);
  }

  /**
   * Stores a story once for its call: where an earlier try has stored one, that story is returned and nothing is stored.
   * The account is locked until the end, so that tries which race see each other's story.
   * @throws Conflict when the account has 10,000 stories, Unprocessable as `earlier` does
   */
  async insert(story: StoryRecord): Promise<StoryRecord> {
    const { accountId, idempotencyId, createdAt: now } = story;
    return this.database.transaction(async (manager) => {
      await manager.query(LOCK_ACCOUNT, [accountId]);
      const earlier = await earlierOf(manager, { accountId, idempotencyId, now }, story);
      if (earlier) {
        return earlier;
      }
      await holdCap(manager, StoryRecord, {
        accountId,
        countMax: STORIES_PER_ACCOUNT_MAX,
        things: 'stories',
      });
      await manager.insert(StoryRecord, story);
      return story;
    });
  }

  /** @throws NotFound where the account has no story of that id, and for a text that is no id */
  async get(accountId: string, id: string): Promise<StoryRecord> {
    const story = isId(id) ? await this.repository.findOneBy({ accountId, id }) : null;
    if (!story) {
      throw new NotFound('story');
    }
    return story;
  }

  /**
   * A page of the account's stories in the period, which ends where its JSON would exceed 1 MiB, and how many there are
   * in all.
   */
  async list(accountId: string, page: StoryPage): Promise<BoundedPage<StoryRecord> & { total: number }> {
    const chosen = [accountId, page.createdFrom, page.createdBefore];
    const [count]: { total: string }[] = await this.database.query(COUNT, chosen);
    const rows: (StoryRecord & { listed: number })[] = await this.database.query(
      pageInOrder(page.sort, page.order),
      [...chosen, page.limit, page.offset],
    );
    return { ...pageOf<StoryRecord>(rows), total: Number(count?.total) };
  }

  /** Returns whether there was such a story. */
  async remove(accountId: string, id: string): Promise<boolean> {
    return isId(id) && (await this.repository.delete({ accountId, id })).affected === 1;
  }
}

async function earlierOf(
  manager: EntityManager,
  { accountId, idempotencyId, now }: StoryTry,
  wish: StoryWish,
): Promise<StoryRecord | null> {
  if (idempotencyId === null) {
    return null;
  }
  const createdAt = MoreThan(new Date(now.getTime() - RETRIED_FOR_MS));
  const story = await manager.findOneBy(StoryRecord, { accountId, idempotencyId, createdAt });
  if (story && !isDeepStrictEqual(wishOf(story), wishOf(wish))) {
    throw new Unprocessable('This Idempotency-Key was used for another request.');
  }
  return story;
}

function wishOf({ prompt, genre, characters, length, tone }: StoryWish): StoryWish {
  return { prompt, genre, characters, length, tone };
}

function full(): Conflict {
  return new Conflict(`An account has at most ${STORIES_PER_ACCOUNT_MAX} stories; delete one first.`);
}

const LOCK_ACCOUNT = 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE';

const COLUMNS = `id, account_id AS "accountId", idempotency_id AS "idempotencyId", title, kind, content, acts, prompt, genre,
  characters, length, tone, model, finish_reason AS "finishReason", input_tokens AS "inputTokens",
  output_tokens AS "outputTokens", created_at AS "createdAt"`;

/** Numbers, ids, times and the names of the members take less than 700 bytes. */
const SIZE = {
  storedBytes: 'octet_length(content) + octet_length(prompt)',
  jsonBytes: `octet_length(to_json(content)::text) + octet_length(to_json(prompt)::text)
    + octet_length(to_json(title)::text) + octet_length(to_json(model)::text)
    + coalesce(octet_length(to_json(genre)::text), 0) + coalesce(octet_length(to_json(tone)::text), 0)
    + coalesce(octet_length(to_json(finish_reason)::text), 0)
    + octet_length(acts::text) + octet_length(characters::text) + 700`,
};

const CHOSEN = `account_id = $1 AND created_at >= coalesce($2::timestamptz, '-infinity')
  AND created_at < coalesce($3::timestamptz, 'infinity')`;

const COUNT = `SELECT count(*) AS total FROM stories WHERE ${CHOSEN}`;

function pageInOrder(sort: StoryPage['sort'], order: StoryPage['order']): string {
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  const sorted = `${sort} ${direction}, id ${direction}`;
  const rows = `SELECT * FROM stories WHERE ${CHOSEN} ORDER BY ${sorted} LIMIT $4 OFFSET $5`;
  return boundedPage({ ...SIZE, rows, order: sorted, columns: COLUMNS });
}
