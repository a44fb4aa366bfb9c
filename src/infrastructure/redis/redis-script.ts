import { createHash } from 'node:crypto';

/** A Lua script. Redis is asked for it by its hash, and gets its text only where it doesn't know it (any more). */
export class RedisScript {
  /** Lower-case hex, as EVALSHA wants it. */
  readonly sha1: string;

  constructor(readonly source: string) {
    this.sha1 = createHash('sha1').update(source).digest('hex');
  }
}
