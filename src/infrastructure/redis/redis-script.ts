import { createHash } from 'node:crypto';

/**
 * A Lua script. It is run by its hash; its text is sent only when Redis does not know the hash, as after a restart.
 */
export class RedisScript {
  /** The hash in lower-case hexadecimal digits, as EVALSHA requires. */
  readonly sha1: string;

  constructor(readonly source: string) {
    this.sha1 = createHash('sha1').update(source).digest('hex');
  }
}
