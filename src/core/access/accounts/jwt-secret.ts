import { createSecretKey, type KeyObject } from 'node:crypto';

/** What account tokens are signed with. It is a key from the start: the library would make one of a text for every token. */
export class JwtSecret {
  readonly key: KeyObject;

  constructor(value: string) {
    this.key = createSecretKey(value, 'utf8');
  }
}
