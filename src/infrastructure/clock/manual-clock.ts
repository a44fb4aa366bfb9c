import { Clock } from './clock';

/** A clock for tests, which stands still until it is moved. */
export class ManualClock extends Clock {
  constructor(private present: Date = new Date('2026-01-15T12:00:00.000Z')) {
    super();
  }

  now(): Date {
    return new Date(this.present);
  }

  /** Sets the time, which is given in ISO 8601. */
  set(present: string): void {
    this.present = new Date(present);
  }

  /** Moves the time forward. */
  advance(milliseconds: number): void {
    this.present = new Date(this.present.getTime() + milliseconds);
  }
}
