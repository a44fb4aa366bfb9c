import { setTimeout as delay } from 'node:timers/promises';
import { accountErrands, loginErrand } from './errands/account-errands';
import { exampleErrands, readErrands } from './errands/example-errands';
import { fileErrands } from './errands/file-errands';
import type { Errand, ErrandScene } from './errands/errand';
import { resourceErrands, streamErrands } from './errands/resource-errands';

const CLIENTS = 8;
/** What has fallen is not asked again at once. */
const BETWEEN_ERRANDS_MS = 20;

/** Clients of all groups, each on one errand after the other. */
export class MixedLoad {
  private readonly errands: readonly Errand[] = [
    ...exampleErrands(),
    ...readErrands(),
    ...resourceErrands,
    ...streamErrands,
    ...accountErrands,
    ...fileErrands,
    loginErrand,
  ];
  private readonly shares = this.errands.reduce((sum, { share }) => sum + share, 0);
  private clients: Promise<unknown> | null = null;
  private isStopped = false;

  constructor(private readonly scene: ErrandScene) {}

  start(): void {
    this.clients ??= Promise.all(Array.from({ length: CLIENTS }, () => this.runUntilStopped()));
  }

  /** Begins no errand any more. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.clients;
  }

  private async runUntilStopped(): Promise<void> {
    while (!this.isStopped) {
      await this.next().run(this.scene);
      await delay(BETWEEN_ERRANDS_MS);
    }
  }

  private next(): Errand {
    let place = this.scene.random.next() * this.shares;
    const errand = this.errands.find(({ share }) => (place -= share) < 0) ?? this.errands[0];
    if (!errand) {
      throw new Error('there is no errand');
    }
    return errand;
  }
}
