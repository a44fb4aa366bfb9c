import { monitorEventLoopDelay } from 'node:perf_hooks';
import { FileRefusal } from '../../src/files/file-errors';
import { isImageKind, SNIFFED_BYTES_MAX, sniffFileKind } from '../../src/files/sniff-file-kind';
import { FILE_DEADLINE_MS } from '../../src/files/file-limits';
import { FileReaders, type FileUse } from '../../src/files/file-readers';
import { HOSTILE_FILES, type HostileFile } from '../support/hostile-files/hostile-files';
import { depth, isDeepRun } from '../support/jest/depth';

const MEBIBYTE = 1024 * 1024;
/** On a machine that does other things, a file may take as long as it likes. */
const DEADLINE_MS = depth('FILE_DEADLINE_MS', { short: 60_000, deep: FILE_DEADLINE_MS });
/** Five seconds, the kill included. */
const TOOK_MS_MAX = depth('FILE_TOOK_MS_MAX', { short: Infinity, deep: 5_000 });
const GROWTH_BYTES_MAX = 300 * MEBIBYTE;
/** Of what the event loop of the service is late while its children work. */
const DELAY_P99_MS_MAX = depth('FILE_DELAY_P99_MS_MAX', { short: Infinity, deep: 100 });

const FILES = HOSTILE_FILES.filter(({ isSlow = false }) => isDeepRun || !isSlow);
const OWN = { accountId: 'own' };

interface Measured {
  readonly title: string;
  readonly outcome: string;
  readonly use: FileUse | null;
}

describe('hostile files', () => {
  const uses: FileUse[] = [];
  const measured: Measured[] = [];
  const files = new FileReaders({ deadlineMs: DEADLINE_MS, used: (use) => uses.push(use) });
  const delay = monitorEventLoopDelay({ resolution: 10 });

  afterAll(async () => {
    await files.onApplicationShutdown();
    if (isDeepRun) {
      process.stdout.write(
        `${[...measured.map(lineOf), `event loop p99 ${delay.percentile(99) / 1e6} ms`].join('\n')}\n`,
      );
    }
  });

  it.each(FILES.map((file) => [`${file.name} with ${file.title}`, file] as const))(
    'refuses or bounds %s',
    async (title, file) => {
      const bytes = await file.build();
      const outcome = await outcomeOf(file, bytes);
      const use = uses.splice(0).at(-1) ?? null;
      measured.push({ title, outcome, use });
      expect(file.outcomes).toContain(outcome);
      expect(use?.tookMs ?? 0).toBeLessThan(TOOK_MS_MAX);
      expect((use?.peakBytes ?? 0) - (use?.startBytes ?? 0)).toBeLessThan(GROWTH_BYTES_MAX);
    },
  );

  it('reads an ordinary file after all of them', async () => {
    expect((await files.read('txt', Buffer.from('hello'), OWN)).text).toBe('hello');
  });

  it('leaves the event loop free meanwhile', () => {
    expect(delay.percentile(99) / 1e6).toBeLessThan(DELAY_P99_MS_MAX);
  });

  /** What becomes of a file on its way: its kind is told by its first bytes, then a child process reads it. */
  async function outcomeOf({ name }: HostileFile, bytes: Buffer): Promise<string> {
    delay.enable();
    try {
      const kind = sniffFileKind(bytes.subarray(0, SNIFFED_BYTES_MAX), bytes.length, name);
      await files.read(kind, bytes, OWN);
      if (isImageKind(kind)) {
        await files.image(bytes, kind, OWN);
      }
      return 'read';
    } catch (error) {
      if (error instanceof FileRefusal) {
        return error.name;
      }
      throw error;
    } finally {
      delay.disable();
    }
  }
});

function lineOf({ title, outcome, use }: Measured): string {
  const grewMegabytes = Math.round(((use?.peakBytes ?? 0) - (use?.startBytes ?? 0)) / MEBIBYTE);
  return `${title}: ${outcome}, ${Math.round(use?.tookMs ?? 0)} ms, +${grewMegabytes} MB, ${use?.wasKilled ? 'killed' : ''}`;
}
