import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import { Conflict } from '../errors/request-errors';
import { Accounts } from './accounts.repository';
import { Passwords } from './passwords';

/** Makes the first admin from ADMIN_EMAIL and ADMIN_PASSWORD. An account that exists keeps its own password. */
@Injectable()
export class FirstAdmin implements OnApplicationBootstrap {
  private readonly logger = new Logger('FirstAdmin');

  constructor(
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly configuration: Configuration,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { adminEmail, adminPassword } = this.configuration;
    if (!adminEmail || !adminPassword || (await this.accounts.findByEmail(adminEmail))) {
      return;
    }
    try {
      await this.accounts.create({
        email: adminEmail,
        username: `admin-${adminEmail
          .split('@')[0]
          ?.replaceAll(/[^A-Za-z0-9_.-]/g, '')
          .slice(0, 20)}`,
        passwordHash: await this.passwords.hash(adminPassword),
        role: 'admin',
        tier: 'enterprise',
      });
    } catch (error) {
      if (!(error instanceof Conflict)) {
        throw error;
      }
      this.logger.log('the first admin was made by another replica');
    }
  }
}
