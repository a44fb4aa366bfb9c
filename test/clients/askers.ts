import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Ledger } from '../../src/ledger/ledger';
import { createAccount, type TestAccount } from '../support/api/world';
import { RawUpstream, type Script } from '../support/upstream/raw-upstream';
import { ServiceWithUpstreams, type UpstreamEntry } from '../support/upstream/service-with-upstreams';
import { FOLDER, installTools, pythonPackages } from './tools';

const packages = pythonPackages();

/** Packages of others, unchanged: the one of Python where the machine can have it. */
export const CLIENTS = ['openai', 'ai-sdk', 'langchain', ...(packages === null ? [] : ['openai-python'])];

export interface Question {
  readonly client: string;
  readonly what: string;
  readonly model: string;
  readonly [field: string]: unknown;
}

/** What came of a question, as the program saw it. */
export interface Outcome {
  readonly value?: {
    readonly text?: string;
    readonly tokens?: readonly [input: number, output: number, total: number];
    readonly cached?: number;
    readonly calls?: readonly object[];
    readonly vector?: readonly number[];
  };
  readonly error?: {
    readonly status: number | null;
    readonly message: string;
    readonly code: string | null;
  };
}

/** A program that answers one line of its output to each line of its input. */
class Program {
  private readonly process: ChildProcess;
  private readonly waiting: ((line: string) => void)[] = [];
  private complaints = '';

  constructor(command: string, parameters: readonly string[], environment: NodeJS.ProcessEnv) {
    this.process = spawn(command, parameters, { cwd: FOLDER, env: environment });
    this.process.stderr?.on('data', (text: Buffer) => (this.complaints += text.toString()));
    createInterface({ input: this.process.stdout as NodeJS.ReadableStream }).on('line', (line) =>
      this.waiting.shift()?.(line),
    );
    this.process.on('exit', () => this.waiting.forEach((answer) => answer('')));
  }

  async ask(question: Question): Promise<Outcome> {
    const line = await new Promise<string>((resolve) => {
      this.waiting.push(resolve);
      this.process.stdin?.write(`${JSON.stringify(question)}\n`);
    });
    if (line === '') {
      throw new Error(`the program ended: ${this.complaints}`);
    }
    return JSON.parse(line) as Outcome;
  }

  async stop(): Promise<void> {
    const isGone = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.stdin?.end();
    await isGone;
  }
}

/** A service in front of one scripted upstream, and the programs of all clients, which ask it. */
export class Askers {
  private constructor(
    readonly upstream: RawUpstream,
    readonly running: ServiceWithUpstreams,
    readonly account: TestAccount,
    private readonly programs: ReadonlyMap<string, Program>,
  ) {}

  static async start(script: Script, models: UpstreamEntry['models']): Promise<Askers> {
    await installTools();
    const upstream = await RawUpstream.start(script);
    const running = await ServiceWithUpstreams.start([{ name: 'main', base_url: upstream.baseUrl, models }]);
    const account = await createAccount(running.service, { creditUsd: '1000' });
    const target = [`${running.url}/v1`, account.key];
    const node = new Program(process.execPath, ['programs/ask.mjs', ...target], process.env);
    const programs = new Map(CLIENTS.map((client) => [client, node]));
    if (packages !== null) {
      const environment = { ...process.env, PYTHONPATH: packages };
      programs.set(
        'openai-python',
        new Program('python3', [join('programs', 'ask.py'), ...target], environment),
      );
    }
    return new Askers(upstream, running, account, programs);
  }

  async ask(question: Question): Promise<Outcome> {
    const program = this.programs.get(question.client);
    if (!program) {
      throw new Error(`no program is called ${question.client}`);
    }
    return program.ask(question);
  }

  async balanceNanoUsd(): Promise<bigint> {
    return (await this.running.service.app.get(Ledger).balance(this.account.id)).balanceNanoUsd;
  }

  /** Throws unless the books add up and nothing is left open. */
  async stop(): Promise<void> {
    await Promise.all([...new Set(this.programs.values())].map((program) => program.stop()));
    const faults = await this.running.faults();
    await this.running.stop();
    await this.upstream.stop();
    expect(faults).toEqual([]);
  }
}
