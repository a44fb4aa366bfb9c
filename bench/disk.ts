import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchPostgres } from './bench-postgres';
import { withClient } from './bench-postgres';
import { median, percentile } from './statistics';

const TIMES = 200;
/** Postgres writes its log in pages of this size. */
const PAGE_BYTES = 8192;

/** How long this machine's disk takes to make things durable. */
export interface Disk {
  fsyncMs: { median: number; p99: number };
  /** One row in a transaction of its own, on the Postgres that the targets use. */
  commitMs: { median: number; p99: number };
}

export async function measureDisk(postgres: BenchPostgres): Promise<Disk> {
  return { fsyncMs: summed(fsyncsMs(postgres.folder)), commitMs: summed(await commitsMs(postgres)) };
}

/** Appends a page and makes it durable, again and again, in the folder of the database's files. */
function fsyncsMs(folder: string): number[] {
  const path = join(folder, 'fsync');
  const file = openSync(path, 'w');
  try {
    return Array.from({ length: TIMES }, () => {
      const startedAtMs = performance.now();
      writeSync(file, Buffer.alloc(PAGE_BYTES));
      fdatasyncSync(file);
      return performance.now() - startedAtMs;
    });
  } finally {
    closeSync(file);
    rmSync(path);
  }
}

async function commitsMs(postgres: BenchPostgres): Promise<number[]> {
  return withClient(await postgres.createDatabase('commits'), async (client) => {
    await client.query('CREATE TABLE commits (number integer PRIMARY KEY)');
    const times: number[] = [];
    for (let number = 0; number < TIMES; number += 1) {
      const startedAtMs = performance.now();
      await client.query('INSERT INTO commits VALUES ($1)', [number]);
      times.push(performance.now() - startedAtMs);
    }
    return times;
  });
}

function summed(times: number[]): { median: number; p99: number } {
  return { median: median(times), p99: percentile(times, 0.99) };
}
