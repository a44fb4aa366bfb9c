import { Clock } from './clock';

/** A clock that stands still until it is moved. */
export class ManualClock extends Clock {
  constructor(private present: Date = new Date('2026-01-15T12:00:00.000Z')) {
    super();
  }

  now(): Date {
    return new Date(this.present);
  }

  set(present: string): void {
    this.present = new Date(present);
  }

  advance(milliseconds: number): void {
    this.present = new Date(this.present.getTime() + milliseconds);
  }
}
