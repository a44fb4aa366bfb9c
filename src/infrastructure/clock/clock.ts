/** The only source of the present time, so that tests can set it. */
export abstract class Clock {
  abstract now(): Date;
}

/** The machine's own clock. */
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
