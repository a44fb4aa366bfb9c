import type { ProcessRegister } from '../../../src/database/process-register';
import type { FlushConnection } from '../../../src/ledger/flush-connection';
import type { OpenLedger } from './open-ledger';

/**
 * How a process is not heard of: its heartbeats alone get lost, or it stands still as a whole, before its next flush is sent
 * or before it hears how that one ended. Who stood still goes on with a heartbeat or with what waited for its flush.
 */
export interface Lapse {
  stops: 'heartbeats' | 'before sending' | 'before hearing';
  goesOnWith: 'heartbeat' | 'flush';
}

interface Beating {
  beat(): Promise<void>;
  hear(...heard: unknown[]): void;
  timer: NodeJS.Timeout;
  beating: Promise<void>;
  isStopped: boolean;
  reliedOnUntilMs: number;
}

type Lane = { connection: FlushConnection };

const SILENT = `
  UPDATE processes SET heartbeat_at = clock_timestamp() - interval '60 seconds', valid_until = clock_timestamp() - interval '30 seconds'
  WHERE id = $1`;

const GOES_ON = Promise.resolve();

/**
 * Lets a process be silent, as a pause of its machine or a cut network would, without the seconds that this takes: for others
 * its time is over, and it relies on nothing itself, as after 1.8 seconds. What it was to hear meanwhile it hears afterwards.
 */
export class Lapsing {
  private readonly register: Beating;
  private isDeaf = false;
  private readonly unheard: unknown[][] = [];
  private sending = GOES_ON;
  private hearing = GOES_ON;
  private open: () => void = () => undefined;

  constructor(private readonly of: OpenLedger) {
    this.register = of.register as unknown as Beating;
    const hear = this.register.hear.bind(of.register);
    this.register.hear = (...heard) => (this.isDeaf ? void this.unheard.push(heard) : hear(...heard));
    // Whoever finds that it was ended has a connection again.
    (of.register satisfies ProcessRegister).onEnded(() => this.hear());
    const { main, aside } = (of.ledger as unknown as { flusher: Record<'main' | 'aside', Lane> }).flusher;
    for (const { connection } of [main, aside]) {
      const flush = connection.flush.bind(connection);
      connection.flush = async (...sent) => {
        await this.sending;
        return flush(...sent).finally(() => this.hearing);
      };
    }
  }

  async begin({ stops }: Lapse): Promise<void> {
    const { register } = this;
    const { id } = this.of.register;
    register.isStopped = true;
    clearTimeout(register.timer);
    await register.beating;
    this.isDeaf = true;
    register.reliedOnUntilMs = -Infinity;
    const stands = new Promise<void>((resolve) => (this.open = resolve));
    this.sending = stops === 'before sending' ? stands : GOES_ON;
    this.hearing = stops === 'before hearing' ? stands : GOES_ON;
    await this.of.database.query(SILENT, [id]);
  }

  async end({ goesOnWith }: Lapse): Promise<void> {
    const { register } = this;
    if (goesOnWith === 'flush') {
      this.goOn();
    }
    register.isStopped = false;
    await register.beating;
    clearTimeout(register.timer);
    await register.beat().finally(() => {
      this.goOn();
      this.hear();
    });
  }

  /** Lets the process find out whether others have ended it. */
  async notice(): Promise<void> {
    const { id } = this.of.register;
    const dead: unknown[] = await this.of.database.query('SELECT FROM processes WHERE id = $1 AND is_dead', [
      id,
    ]);
    if (dead.length > 0) {
      await this.of.register.renew(id);
    }
  }

  private goOn(): void {
    this.sending = this.hearing = GOES_ON;
    this.open();
  }

  private hear(): void {
    this.isDeaf = false;
    this.unheard.splice(0).forEach((heard) => this.register.hear(...heard));
  }
}
