import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { EmbeddedCheckout } from './embedded-checkout';
import { until } from '../until';

export interface OwnerOptions {
  checkout: EmbeddedCheckout;
  dataFolder: string;
  /** Another user than ours, and a Node that this user can reach. */
  runAs?: { uid: number; gid: number; node: string };
}

/** A running test/support/processes/embedded-owner.ts, in a process group of its own. */
export class OwnerProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly said: { kind: string; text: string }[] = [];
  private readonly closed: Promise<unknown>;

  constructor({ checkout, dataFolder, runAs }: OwnerOptions) {
    this.child = spawn(runAs?.node ?? process.execPath, [checkout.ownerScript, dataFolder], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
      uid: runAs?.uid,
      gid: runAs?.gid,
    });
    const lines = createInterface({ input: this.child.stdout });
    lines.on('line', (line) => {
      const [kind, text] = JSON.parse(line) as [string, string];
      this.said.push({ kind, text });
    });
    this.closed = Promise.all([once(this.child, 'close'), once(lines, 'close')]);
  }

  all(kind: string): string[] {
    return this.said.filter((line) => line.kind === kind).map((line) => line.text);
  }

  /** The first line of a kind, once the process has said it. */
  async first(kind: string): Promise<string> {
    await until(`the owner says "${kind}"`, () => this.all(kind).length > 0 || this.child.exitCode !== null);
    // What it said last may arrive after the news of its end.
    if (this.all(kind).length === 0) {
      await this.closed;
    }
    const text = this.all(kind)[0];
    if (text !== undefined) {
      return text;
    }
    throw new Error(`the owner ended without "${kind}": ${JSON.stringify(this.said)}`);
  }

  async killIfRunning(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await this.signal('SIGKILL');
    }
  }

  /** Sends a signal to the whole process group, as a terminal does, and waits for the end. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    process.kill(-(this.child.pid ?? NaN), signal);
    await this.closed;
  }
}
