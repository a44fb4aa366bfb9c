/** What the stack is made of. */
export interface StackSettings {
  apis: number;
  workers: number;
  /** Where the proxy listens. */
  host: string;
  port: number;
}

const PROCESSES_MAX = 64;

/**
 * Reads what is the stack's own of the environment; the rest is handed on to the service.
 * @throws Error that names each variable at fault, one a line
 */
export function stackSettings(environment: NodeJS.ProcessEnv): StackSettings {
  const faults: string[] = [];
  for (const [name, what] of [
    ['DATABASE_URL', 'a Postgres that all processes share'],
    ['REDIS_URL', 'a Redis that all processes share'],
    ['JWT_SECRET', '32 or more random bytes: openssl rand -hex 32'],
  ] as const) {
    if (!environment[name] && !environment[`${name}_FILE`]) {
      faults.push(`${name} is missing: ${what}`);
    }
  }
  const number = (name: string, byDefault: number, min: number, max: number): number => {
    const text = environment[name] ?? '';
    const value = text === '' ? byDefault : Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      faults.push(`${name} must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
  const settings = {
    apis: number('STACK_APIS', 2, 1, PROCESSES_MAX),
    workers: number('STACK_WORKERS', 2, 0, PROCESSES_MAX),
    port: number('PORT', 3000, 0, 65_535),
    host: environment.HOST || '127.0.0.1',
  };
  if (faults.length > 0) {
    throw new Error(faults.join('\n'));
  }
  return settings;
}
