import { execFileSync } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import argon2 from '@node-rs/argon2';
import { ServiceUnavailable } from '../errors/api-errors';
import { hashPassword, verifyPassword } from './password-jobs';
import { Passwords } from './password-login';

/** More than the thread pool has, of which nobody in the tests asks for more than its usual four. */
const POOL_THREADS_MAX = 8;

/** Algorithm, version, memory and passes: what a verification costs. */
const costOf = (hash: string) => hash.split('$').slice(0, 4);

describe('a password', () => {
  it('fits the hash that was made of it, and no other does', () => {
    const hash = hashPassword('a password');
    expect(verifyPassword({ hash, password: 'a password' })).toBe(true);
    expect(verifyPassword({ hash, password: 'A password' })).toBe(false);
  });

  it('is compared at the same cost where there is no account, and never fits', () => {
    const hash = hashPassword('a password');
    const verify = jest.spyOn(argon2, 'verifySync');
    expect(verifyPassword({ hash: null, password: 'a password' })).toBe(false);
    expect(verify.mock.calls.map(([nobody]) => costOf(String(nobody)))).toEqual([costOf(hash)]);
  });
});

describe('checks of passwords', () => {
  let passwords: Passwords;
  beforeEach(() => {
    passwords = new Passwords();
  });
  afterEach(() => passwords.onApplicationShutdown());

  /** Turns that are under way or wait until they are told to end, of so many addresses. */
  const crowd = (addresses: number) => {
    const ends: (() => void)[] = [];
    const held = Array.from({ length: addresses }, (_, index) =>
      passwords.inTurn(`address ${index}`, () => new Promise<void>((resolve) => ends.push(resolve))),
    );
    const end = async () => {
      for (let ended = 0; ended < addresses; ended += 1) {
        ends[ended]?.();
        await new Promise(setImmediate);
      }
      await Promise.all(held);
    };
    return { ends, end };
  };

  it('need nothing of the thread pool that names, files and encryption wait for', async () => {
    const check = () => passwords.inTurn('address', (work) => work.verify(hashPassword('right'), 'right'));
    expect(await check()).toBe(true);
    // Whoever opens a pipe to read from it waits in the pool until somebody opens it to write.
    const folder = await mkdtemp(join(tmpdir(), 'passwords-'));
    const pipes = Array.from({ length: POOL_THREADS_MAX }, (_, index) => join(folder, `pipe-${index}`));
    execFileSync('mkfifo', pipes);
    const readers = pipes.map((pipe) => open(pipe, 'r'));
    try {
      expect(await check()).toBe(true);
    } finally {
      const writers = pipes.map((pipe) => openSync(pipe, 'w'));
      await Promise.all(readers.map(async (reader) => (await reader).close()));
      writers.forEach(closeSync);
      await rm(folder, { recursive: true });
    }
  });

  it('are refused at once with the time to wait where too many wait, of one address or of all', async () => {
    const many = crowd(100);
    const refusal = passwords.inTurn('one more', () => Promise.resolve()).catch((error: unknown) => error);
    expect(await refusal).toBeInstanceOf(ServiceUnavailable);
    expect(((await refusal) as ServiceUnavailable).options.headers).toEqual({ 'Retry-After': '3' });
    await many.end();

    const few = crowd(4);
    const ofOne = Array.from({ length: 40 }, () => passwords.inTurn('address 0', () => Promise.resolve()));
    const outcomes = Promise.allSettled(ofOne);
    await few.end();
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(27);
    expect(refused.length).toBeLessThan(30);
  });

  it('come to an address that asks once before the second of one that asks often', async () => {
    const begun: string[] = [];
    const held = crowd(4);
    const names = ['often 1', 'often 2', 'often 3', 'once 1'];
    const all = names.map((name) =>
      passwords.inTurn(name.split(' ')[0] ?? '', () => {
        begun.push(name);
        return new Promise((resolve) => setImmediate(resolve));
      }),
    );
    await held.end();
    await Promise.all(all);
    expect(begun.indexOf('once 1')).toBeLessThan(begun.indexOf('often 2'));
  });
});
