import type { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { ApiClient, howToRepeat, type ApiCall, type Answer, type OperationId } from './api-client';
import { sayingWhenBrokenOff } from './broken-off';
import { readCredentials, type CredentialOptions, type Credentials } from './credentials';
import { CommandFailure, EXIT } from './failures';
import {
  confirm,
  endProgress,
  printable,
  printFields,
  printJson,
  printProgress,
  printTable,
  type Column,
  type Terminal,
} from './terminal';

const USUAL_URL = 'http://127.0.0.1:3000';
/** A service that listens on one of these listens on the loopback of its family too. */
const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** What every command takes. */
export interface SharedOptions extends CredentialOptions {
  url?: string;
  plainHttp?: boolean;
  json?: boolean;
  yes?: boolean;
  idempotencyKey?: string;
}

export type Fields = Record<string, string | number | boolean | null>;

/** One run of a command, logged in. */
export class Session {
  constructor(
    readonly terminal: Terminal,
    private readonly client: ApiClient,
    private readonly options: SharedOptions,
  ) {}

  /** Reads, or changes what a repetition does not change once more. */
  call<Id extends OperationId>(operationId: Id, call: ApiCall = {}): Promise<Answer<Id>> {
    return this.client.call(operationId, call);
  }

  /** Changes something once, however often the answer gets lost. */
  change<Id extends OperationId>(operationId: Id, call: ApiCall): Promise<Answer<Id>> {
    const keyed = { idempotencyKey: this.options.idempotencyKey ?? randomUUID(), ...call };
    return sayingWhenBrokenOff(this.terminal, howToRepeat(keyed), () => this.client.call(operationId, keyed));
  }

  confirm(question: string): Promise<void> {
    return confirm(this.terminal, question, this.options.yes === true);
  }

  show(answer: object, fields: Fields): void {
    if (this.options.json) {
      printJson(this.terminal, answer);
    } else {
      printFields(this.terminal, fields);
    }
  }

  showRows<Row>(
    answer: object,
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    total = rows.length,
  ): void {
    if (this.options.json) {
      printJson(this.terminal, answer);
      return;
    }
    printTable(this.terminal, rows, columns);
    this.note(total === rows.length ? `${total} in all` : `${rows.length} of ${total}`);
  }

  /** Says something beside the results. */
  note(text: string): void {
    this.terminal.errors.write(`${printable(text)}\n`);
  }

  progress(text: string): void {
    printProgress(this.terminal, text);
  }

  endProgress(): void {
    endProgress(this.terminal);
  }
}

/** Logs in, does the work, and ends the token that it logged in for. Refused credentials are told with where they came from. */
export async function inSession(
  terminal: Terminal,
  command: Command,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const options = command.optsWithGlobals<SharedOptions>();
  const client = new ApiClient(baseUrlOf(options), terminal);
  const { credentials, from } = readCredentials(options, process.env);
  try {
    await loggedIn(client, credentials, () => work(new Session(terminal, client, options)));
  } catch (error) {
    throw error instanceof CommandFailure && error.exitCode === EXIT.credentials
      ? new CommandFailure(`${error.message}\nThe credentials were taken from ${from}.`, error.exitCode)
      : error;
  }
}

async function loggedIn(
  client: ApiClient,
  credentials: Credentials,
  work: () => Promise<void>,
): Promise<void> {
  if ('token' in credentials) {
    client.token = credentials.token;
    return work();
  }
  client.token = (await client.call('login', { body: credentials })).token;
  try {
    await work();
  } finally {
    // The token ends by itself after a day: that it could not be ended now is no failure of the command.
    await client.call('logout').catch(() => undefined);
  }
}

/** @throws CommandFailure for what is no address, and for one to which credentials would travel in the open */
export function baseUrlOf(
  { url: named, plainHttp = false }: SharedOptions,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const url = named ?? environment.ADMIN_URL ?? urlOfThisMachine(environment);
  if (!URL.canParse(url)) {
    throw new CommandFailure(`${url} is no address of a service, such as ${USUAL_URL}.`, EXIT.usage);
  }
  const { protocol, hostname, origin, pathname } = new URL(url);
  if (protocol !== 'https:' && !(protocol === 'http:' && (plainHttp || LOOPBACK.test(hostname)))) {
    throw new CommandFailure(
      `${protocol}//${hostname} would be told the credentials in the open: use https, or say --plain-http.`,
      EXIT.usage,
    );
  }
  return origin + pathname.replace(/\/+$/, '');
}

/** Where a service with the same PORT and HOST listens, so that its credentials are never shown to another one. */
function urlOfThisMachine({ PORT: port, HOST: host }: NodeJS.ProcessEnv): string {
  const listens = host || '127.0.0.1';
  const address = EVERY_ADDRESS[listens] ?? listens;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port || '3000'}`;
}
