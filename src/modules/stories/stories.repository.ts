import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import { AccountRows } from '../../accounts/account-rows';
import { Unprocessable } from '../../errors/api-errors';
import { refuseFullStorage } from '../../ledger/storage-limit';
import { StoryEntity, type StoryWish } from './story-order';

/** So much room there has to be before a story is written; few are a tenth as long. */
const STORY_BYTES_MAX = 256 * 1024;
/** As long as an Idempotency-Key is remembered; after that the same key means another story. */
const RETRIED_FOR_MS = 24 * 60 * 60 * 1000;

/** The try of a call: the account, the call's id if it has an Idempotency-Key, and the time. */
export interface StoryTry {
  readonly accountId: string;
  readonly idempotencyId: string | null;
  readonly now: Date;
}

/** The stories of accounts. */
@Injectable()
export class Stories extends AccountRows<StoryEntity> {
  constructor(database: DataSource) {
    super(database, StoryEntity, {
      name: 'story',
      plural: 'stories',
      countMax: 10_000,
      // Numbers, ids, times and the names of the members take less than 700 bytes.
      size: {
        storedBytes: 'octet_length(content) + octet_length(prompt)',
        jsonBytes: `octet_length(to_json(content)::text) + octet_length(to_json(prompt)::text)
          + octet_length(to_json(title)::text) + octet_length(to_json(model)::text)
          + coalesce(octet_length(to_json(genre)::text), 0) + coalesce(octet_length(to_json(tone)::text), 0)
          + coalesce(octet_length(to_json(finish_reason)::text), 0)
          + octet_length(acts::text) + octet_length(characters::text) + 700`,
      },
    });
  }

  /** @throws Conflict when the account has 10,000 stories or no room for one, so that no story is written that cannot be stored */
  async refuseFull(accountId: string): Promise<void> {
    await this.refuseAtCap(accountId);
    await refuseFullStorage(this.database, accountId, STORY_BYTES_MAX);
  }

  /**
   * The story that an earlier try of the same call has stored; null where there is none, and for a call without an
   * Idempotency-Key.
   * @throws Unprocessable when that call asked for another story
   */
  async earlier(asked: StoryTry, wish: StoryWish): Promise<StoryEntity | null> {
    return earlierOf(this.database.manager, asked, wish);
  }

  /**
   * Stores a story once for its call: where an earlier try has stored one, that story is returned and nothing is stored.
   * The account is locked until the end, so that tries which race see each other's story.
   * @throws Conflict when the account has 10,000 stories, Unprocessable as `earlier` does
   */
  async insert(story: StoryEntity): Promise<StoryEntity> {
    const { accountId, idempotencyId, createdAt: now } = story;
    return this.database.transaction(async (manager) => {
      await manager.query(LOCK_ACCOUNT, [accountId]);
      const earlier = await earlierOf(manager, { accountId, idempotencyId, now }, story);
      if (earlier) {
        return earlier;
      }
      await this.insertWithinCap(manager, story);
      return story;
    });
  }
}

async function earlierOf(
  manager: EntityManager,
  { accountId, idempotencyId, now }: StoryTry,
  wish: StoryWish,
): Promise<StoryEntity | null> {
  if (idempotencyId === null) {
    return null;
  }
  const createdAt = MoreThan(new Date(now.getTime() - RETRIED_FOR_MS));
  const story = await manager.findOneBy(StoryEntity, { accountId, idempotencyId, createdAt });
  if (story && !isDeepStrictEqual(wishOf(story), wishOf(wish))) {
    throw new Unprocessable('This Idempotency-Key was used for another request.');
  }
  return story;
}

function wishOf({ prompt, genre, characters, length, tone }: StoryWish): StoryWish {
  return { prompt, genre, characters, length, tone };
}

const LOCK_ACCOUNT = 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE';
