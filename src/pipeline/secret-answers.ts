import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtSecret } from '../accounts/credentials';
import { Conflict } from '../errors/api-errors';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * What is kept for retries of an answer that shows a secret. The database alone is not enough to read it: the key is made of
 * JWT_SECRET, and only the account that got the answer can have it opened.
 */
@Injectable()
export class SecretAnswers {
  private readonly key: Buffer;

  constructor({ key }: JwtSecret) {
    this.key = Buffer.from(hkdfSync('sha256', key, '', 'answers kept for retries', KEY_BYTES));
  }

  seal(accountId: string, body: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(accountId));
    const sealed = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** @throws Conflict where JWT_SECRET has changed since */
  open(accountId: string, kept: string): string {
    const bytes = Buffer.from(kept, 'base64');
    const [tagAt, textAt] = [NONCE_BYTES, NONCE_BYTES + TAG_BYTES];
    try {
      const decipher = createDecipheriv(CIPHER, this.key, bytes.subarray(0, tagAt))
        .setAAD(Buffer.from(accountId))
        .setAuthTag(bytes.subarray(tagAt, textAt));
      return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString('utf8');
    } catch {
      throw new Conflict(
        'The call was made, but its answer can not be shown again: the secret that sealed it has changed.',
      );
    }
  }
}
