import { Client, type ClientBase } from 'pg';
import { WRITTEN } from './divided-database';

/** A divided table as a statement met it. */
export interface Touch {
  /** The statement, which may be one within a function. */
  statement: string;
  table: string;
  shard: number;
  kind: 'read' | 'written';
  /** Whether it read a row there, or wrote one. */
  hasRows: boolean;
  /** Whether a read asks for an account; of a write, the row says it. */
  namesAccount: boolean;
}

/** A statement that the service sent, and what it touched. */
export interface SentStatement {
  text: string;
  values: readonly unknown[];
  /** The same for all statements of a client. */
  client: number;
  touches: Touch[];
}

interface PlanNode {
  'Relation Name'?: string;
  'Node Type': string;
  'Actual Loops'?: number;
  'Actual Rows'?: number;
  Plans?: PlanNode[];
  [condition: string]: unknown;
}

const CONDITIONS = ['Index Cond', 'Recheck Cond', 'Filter', 'Join Filter', 'Hash Cond', 'Merge Cond'];

/**
 * Everything that this process sends to a divided database (divided-database.ts), by whichever client, in the order in which
 * it is sent, with what the server tells of each statement.
 */
export class StatementLog {
  readonly statements: SentStatement[] = [];
  private readonly current = new WeakMap<ClientBase, SentStatement>();
  private readonly spy: jest.SpyInstance;
  private clients = 0;

  constructor() {
    const query = Client.prototype.query as (...parameters: unknown[]) => unknown;
    const note = (client: Client, first: unknown, second: unknown): void => this.note(client, first, second);
    // The driver's method has many forms; all of them are passed on as they come.
    const noting = function (this: Client, ...parameters: unknown[]): unknown {
      note(this, parameters[0], parameters[1]);
      return query.apply(this, parameters);
    };
    this.spy = jest.spyOn(Client.prototype, 'query').mockImplementation(noting);
  }

  stop(): void {
    this.spy.mockRestore();
  }

  /** A client sends one statement at a time, so what it is told belongs to the last. */
  private note(client: Client, first: unknown, second: unknown): void {
    const config = (typeof first === 'string' ? { text: first } : first) as {
      text: string;
      values?: unknown[];
    };
    const values = Array.isArray(second) ? (second as unknown[]) : (config.values ?? []);
    const number = this.current.get(client)?.client ?? (this.clients += 1);
    const statement: SentStatement = { text: config.text, values, client: number, touches: [] };
    if (!this.current.has(client)) {
      client.on('notice', ({ message }) => this.told(client, message ?? ''));
    }
    this.current.set(client, statement);
    this.statements.push(statement);
  }

  private told(client: Client, message: string): void {
    const statement = this.current.get(client);
    if (!statement) {
      return;
    }
    const plan = /^duration: .* plan:\n(?<json>\{.*\})\s*$/s.exec(message)?.groups?.json;
    if (plan !== undefined) {
      const { 'Query Text': text, Plan: root } = JSON.parse(plan) as { 'Query Text': string; Plan: PlanNode };
      readsOf(root, text, statement.touches);
    } else if (message.startsWith(WRITTEN)) {
      const place = placeOf(message.slice(WRITTEN.length));
      const written = { kind: 'written', hasRows: true, namesAccount: true } as const;
      if (place) {
        statement.touches.push({ statement: statement.text, ...place, ...written });
      }
    }
  }
}

/** Adds what a plan read of divided tables. Parts of a plan that were never run count for nothing. */
function readsOf(node: PlanNode, statement: string, touches: Touch[]): void {
  const place = node['Node Type'] === 'ModifyTable' ? null : placeOf(node['Relation Name'] ?? '');
  if (place && (node['Actual Loops'] ?? 0) > 0) {
    const namesAccount = CONDITIONS.some((name) => JSON.stringify(node[name] ?? '').includes('account_id'));
    const hasRows = (node['Actual Rows'] ?? 0) > 0;
    touches.push({ statement, ...place, kind: 'read', hasRows, namesAccount });
  }
  node.Plans?.forEach((child) => readsOf(child, statement, touches));
}

function placeOf(partition: string): { table: string; shard: number } | null {
  const match = /^(?<table>\w+)_shard_(?<shard>\d+)$/.exec(partition)?.groups;
  return match ? { table: match.table ?? '', shard: Number(match.shard) } : null;
}
