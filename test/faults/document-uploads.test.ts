import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { DocumentClient } from '../support/documents/document-client';
import { CompiledService } from '../support/processes/compiled-service';
import { depth } from '../support/jest/depth';
import { until } from '../support/until';

/** Ten of them take a machine that does other things longer than a request may take. */
const UPLOADS = depth('UPLOADS', { short: 4, deep: 10 });
const FILE_BYTES = 25 * 1024 * 1024;
/** Of the whole process, which holds some 300 MB at rest, 330 on Node 26. The files have 262 MB. */
const MEMORY_BYTES_MAX = 450e6;
/** The clock is asked only where the machine does nothing else. */
const STALLED_MS_MAX = depth('STALLED_MS_MAX', { short: Infinity, deep: 12_000 });
const MEMORY_WATCH = join(__dirname, '../support/processes/memory-watch.cjs');
const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';

describe('uploads to a service in a process of its own', () => {
  let temporary: string;
  let service: TestService;
  let api: CompiledService;
  let client: DocumentClient;
  let accountId: string;

  const start = () =>
    CompiledService.start({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET,
      LOG_LEVEL: 'fatal',
      ROLE: 'api',
      TMPDIR: temporary,
      NODE_OPTIONS: `--require ${MEMORY_WATCH}`,
    });

  beforeAll(async () => {
    temporary = mkdtempSync(join(tmpdir(), 'uploads-'));
    service = await TestService.start();
    api = await start();
    const account = await createAccount(service, { creditUsd: '10' });
    accountId = account.id;
    client = await DocumentClient.login(() => api.url, account);
  }, 120_000);

  afterAll(async () => {
    await api?.stop();
    await service.stop();
    rmSync(temporary, { recursive: true, force: true });
  });

  it(`takes ${UPLOADS} files of 25 MiB at once in less than 450 MB of memory, and stores each as it is`, async () => {
    await collect(api);
    await forgetPeak(api);
    const restingBytes = await peakRssBytes(api);
    const bytes = new Blob([randomBytes(FILE_BYTES - 100)]);
    const files = Array.from({ length: UPLOADS }, (_, index) => new Blob([`%PDF-1.7\n${index}\n`, bytes]));
    const answers = await Promise.all(files.map((file) => client.uploadLarge(file, 'a.pdf')));
    expect(answers.map(({ status, message }) => [status, message])).toEqual(
      files.map(() => [201, undefined]),
    );
    const read = await client.content(answers[3]?.data.id ?? '');
    expect(read.equals(new Uint8Array(await (files[3] as Blob).arrayBuffer()))).toBe(true);
    const peakBytes = await peakRssBytes(api);
    process.stdout.write(
      `\n${UPLOADS} uploads at once: ${Math.round(peakBytes / 1e6)} MB at most, ${Math.round(restingBytes / 1e6)} MB before\n`,
    );
    expect(peakBytes).toBeLessThan(MEMORY_BYTES_MAX);
    expect(await leftFiles()).toEqual([]);
  });

  it('refuses an upload that stalls within seconds, and leaves nothing behind', async () => {
    const startedAtMs = performance.now();
    const answer = await sendPart(api.url, 'stalls');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - startedAtMs).toBeLessThan(STALLED_MS_MAX);
    await until('the file is removed', async () => (await leftFiles()).length === 0);
  });

  it('leaves nothing of uploads that are cut in the middle, stores and charges nothing, and goes on serving', async () => {
    const before = await storedAndCharged();
    await Promise.all(Array.from({ length: 10 }, () => sendPart(api.url, 'cut')));
    await until('the files are removed', async () => (await leftFiles()).length === 0);
    expect(await storedAndCharged()).toEqual(before);
    // Until the service has seen that the last of them is cut, so many files arrive that it may refuse another one.
    await until('an upload is taken', async () => (await client.upload('Still there.')).status === 201);
    expect(await ledgerFaults(service.database)).toEqual([]);
  });

  it('removes what a killed process has left behind', async () => {
    const uploading = Promise.all(
      Array.from({ length: 3 }, () => sendPart(api.url, 'stalls').catch(() => '')),
    );
    await until('files are being written', async () => (await leftFiles()).length === 3);
    await api.kill();
    await uploading;
    expect(await leftFiles()).toHaveLength(3);
    api = await start();
    await until('the files are removed', async () => (await leftFiles()).length === 0);
  });

  async function leftFiles(): Promise<string[]> {
    const entries = await readdir(temporary, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  async function storedAndCharged(): Promise<unknown> {
    const [row]: unknown[] = await service.database.query(
      `SELECT (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM document_bytes) AS pieces,
         (SELECT sum(amount_nano) FROM ledger_entries WHERE account_id = $1) AS balance,
         (SELECT count(*) FROM reservations) AS reserved`,
      [accountId],
    );
    return row;
  }

  /** Sends the first mebibyte of a file, and then nothing, or nothing but the end of the connection. */
  function sendPart(url: string, then: 'stalls' | 'cut'): Promise<string> {
    const { hostname, port } = new URL(url);
    const { authorization } = client.headers;
    return new Promise((resolve) => {
      let answer = '';
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /api/documents/upload HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
            'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n' +
            '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n',
        );
        socket.write(Buffer.alloc(1024 * 1024, 'a'), () => {
          if (then === 'cut') {
            setTimeout(() => socket.destroy(), 100);
          }
        });
      });
      socket.on('data', (part: Buffer) => (answer += part.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(answer));
    });
  }
});

/** Has the process collect what its start has left. */
async function collect({ process: child }: CompiledService): Promise<void> {
  const told = once(child, 'message');
  child.send('memory');
  await told;
}

/** Lets the process's peak begin anew: that of its start, when it compiles the document, is another matter. */
async function forgetPeak({ process: child }: CompiledService): Promise<void> {
  await writeFile(`/proc/${child.pid}/clear_refs`, '5');
}

/** The most memory that the system has given to the process since its peak was forgotten. */
async function peakRssBytes({ process: child }: CompiledService): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
