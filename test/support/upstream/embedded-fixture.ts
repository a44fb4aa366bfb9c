import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { OwnerProcess, type OwnerOptions } from '../processes/owner-process';

/** Folders and services for the tests of the embedded Postgres, and their removal. */
export class EmbeddedFixture {
  readonly isRoot = process.getuid?.() === 0;
  /** A user that is not root: what most people run the service as. */
  readonly ordinaryUser = this.isRoot ? 'nobody' : 'the present user';
  private readonly root = join(realpathSync(tmpdir()), `embedded-faults-${randomBytes(6).toString('hex')}`);
  private readonly removable = [this.root];
  private readonly owners: OwnerProcess[] = [];

  constructor() {
    mkdirSync(this.root);
  }

  newFolder(): string {
    const folder = join(this.root, randomBytes(6).toString('hex'));
    mkdirSync(folder);
    return folder;
  }

  /** An empty folder that belongs to the user who will start the service. */
  newDataFolder(user?: string): string {
    const folder = this.newFolder();
    if (user === 'nobody') {
      execFileSync('chown', [user, folder]);
    }
    return folder;
  }

  /** How to become that user; with a copy of Node, because ours may be in the home folder of root. */
  runAs(user: string): OwnerOptions['runAs'] {
    if (user !== 'nobody') {
      return undefined;
    }
    const node = join(this.root, 'node');
    if (!existsSync(node)) {
      copyFileSync(process.execPath, node);
    }
    const id = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
    return { uid: id('-u'), gid: id('-g'), node };
  }

  start(options: OwnerOptions): OwnerProcess {
    const owner = new OwnerProcess(options);
    this.owners.push(owner);
    return owner;
  }

  /** A service that writes at least one row and ends in order. */
  async ownBriefly(options: OwnerOptions): Promise<OwnerProcess> {
    const owner = this.start(options);
    await owner.first('acknowledged');
    await owner.signal('SIGTERM');
    return owner;
  }

  async storedIds(url: string): Promise<string[]> {
    const rows = await this.query<{ id: string }>(url, 'SELECT id FROM acknowledged');
    return rows.map(({ id }) => id);
  }

  async query<Row extends object>(url: string, statement: string): Promise<Row[]> {
    const client = new Client(url);
    await client.connect();
    const { rows } = await client.query<Row>(statement).finally(() => client.end());
    return rows;
  }

  removeAtEnd(folder: string): void {
    this.removable.push(folder);
  }

  async cleanUp(): Promise<void> {
    for (const owner of this.owners) {
      await owner.killIfRunning();
    }
    for (const folder of this.removable) {
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  }
}
