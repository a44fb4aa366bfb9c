import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endlessText } from '../support/hostile-files/hostile-pdfs';
import { until } from '../support/until';

/** A second of processor time; reading the file to its end takes several. */
const TICKS_AFTERWARDS_MAX = 100;

/** A service's process as far as it reads files, compiled. It says the ids of its children once they work. */
const SERVICE = `
  const { FileReaders } = require(process.argv[1]);
  const files = new FileReaders({ deadlineMs: 600_000 });
  const chunks = [];
  process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
    files.read('pdf', Buffer.concat(chunks), { accountId: 'own' }).catch(() => undefined);
    setInterval(() => {
      const ids = require('node:child_process').execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]);
      const child = /(\\d+) .*file-worker/.exec(ids.toString());
      if (child) console.log(child[1]);
    }, 100);
  });
`;

describe('a service that is killed while it reads a file', () => {
  it('leaves no process behind, not even one that is busy', async () => {
    const module = join(__dirname, '../../dist/src/files/file-readers.js');
    const service = spawn(process.execPath, ['-e', SERVICE, module], { stdio: ['pipe', 'pipe', 'inherit'] });
    service.stdin.end(endlessText());
    const [line] = (await once(service.stdout, 'data')) as [Buffer];
    const child = Number(line.toString().split('\n')[0]);
    await until('the child works', () => processorTicksOf(child) > 50);
    let ticks = processorTicksOf(child);
    const ticksMax = ticks + TICKS_AFTERWARDS_MAX;
    service.kill('SIGKILL');
    await until('the child has ended', () => {
      const now = processorTicksOf(child);
      ticks = Math.max(ticks, now);
      return now === 0;
    });
    expect(ticks).toBeLessThan(ticksMax);
  });
});

/** The processor time that a process has had, in hundredths of a second; 0 for one that is gone or only waits to be reaped. */
function processorTicksOf(id: number): number {
  try {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields[0] === 'Z' ? 0 : Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
