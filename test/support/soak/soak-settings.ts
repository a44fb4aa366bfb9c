import { randomInt } from 'node:crypto';

/** From here on a soak is long enough for its times and its memory to be held to bounds. */
const LONG_FROM_MINUTES = 10;

export interface SoakSettings {
  /** How long the load and the faults last; what settles afterwards takes its own time. */
  minutes: number;
  seed: number;
  apis: number;
  workers: number;
  /** Where all lines of the service go; null for nowhere. */
  logFile: string | null;
  /** Whether the machine is taken to have no other work. */
  isLong: boolean;
}

/** @throws Error that names each variable at fault, one a line */
export function soakSettings(environment: NodeJS.ProcessEnv): SoakSettings {
  const faults: string[] = [];
  const number = (name: string, byDefault: number, min: number, max: number): number => {
    const text = environment[name] ?? '';
    const value = text === '' ? byDefault : Number(text);
    if (!(value >= min && value <= max) || (name !== 'SOAK_MINUTES' && !Number.isInteger(value))) {
      faults.push(`${name} must be a number from ${min} to ${max}`);
    }
    return value;
  };
  const minutes = number('SOAK_MINUTES', 15, 0.1, 1_440);
  const settings = {
    minutes,
    seed: number('SOAK_SEED', randomInt(2 ** 31), 0, 2 ** 31 - 1),
    // The first of each is never killed: its memory is what is watched.
    apis: number('SOAK_APIS', 3, 2, 16),
    workers: number('SOAK_WORKERS', 2, 2, 16),
    logFile: environment.SOAK_LOG || null,
    isLong: minutes >= LONG_FROM_MINUTES,
  };
  if (faults.length > 0) {
    throw new Error(faults.join('\n'));
  }
  return settings;
}
