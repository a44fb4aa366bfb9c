import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Health, Readiness } from '../../../generated/types';
import { API_VERSION } from '../../contract/api-version';
import { ApiError } from '../../core/errors/api-error';
import { Clock } from '../../infrastructure/clock/clock';

const CHECK_TIMEOUT_MS = 2000;

/** Whether the process lives, and whether it can serve. */
@Injectable()
export class HealthService {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  alive(): Health {
    return { status: 'ok', version: API_VERSION, timestamp: this.clock.now().toISOString() };
  }

  /** @throws ApiError 503 naming what is unavailable */
  async ready(): Promise<Readiness> {
    const check = await this.checkDatabase();
    const readiness = { ...this.alive(), status: check.status, checks: [check] };
    if (check.status !== 'ok') {
      throw new ApiError(503, 'Service Unavailable', 'The service cannot serve calls right now.', {
        fields: { ...readiness },
      });
    }
    return readiness;
  }

  private async checkDatabase(): Promise<Readiness['checks'][number]> {
    try {
      await withinTime(this.database.query('SELECT 1'), CHECK_TIMEOUT_MS);
      return { name: 'database', status: 'ok' };
    } catch {
      return { name: 'database', status: 'unavailable', detail: 'The database does not answer.' };
    }
  }
}

async function withinTime<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
