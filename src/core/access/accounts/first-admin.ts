import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Configuration } from '../../../config/configuration';
import { newId } from '../../../infrastructure/ids/ids';
import { Conflict } from '../../errors/request-errors';
import { Accounts } from './accounts.repository';
import { Passwords } from './passwords';

/**
 * At boot, makes an admin account from ADMIN_EMAIL and ADMIN_PASSWORD. Where an account with that address exists, it
 * is left as it is: it keeps its password and its role.
 */
@Injectable()
export class FirstAdmin implements OnApplicationBootstrap {
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
    const name = `admin-${adminEmail
      .split('@')[0]
      ?.replaceAll(/[^A-Za-z0-9_.-]/g, '')
      .slice(0, 16)}`;
    for (const username of [name, `${name}-${newId().slice(-8)}`]) {
      if (await this.make(adminEmail, username, adminPassword)) {
        return;
      }
    }
    throw new Error(`the first admin ${adminEmail} could not be made: its username is taken`);
  }

  /** Whether the account exists afterwards, made here or by another replica that starts at the same time. */
  private async make(email: string, username: string, password: string): Promise<boolean> {
    try {
      const passwordHash = await this.passwords.hash(password);
      await this.accounts.create({ email, username, passwordHash, role: 'admin', tier: 'enterprise' });
      return true;
    } catch (error) {
      if (!(error instanceof Conflict)) {
        throw error;
      }
      return (await this.accounts.findByEmail(email)) !== null;
    }
  }
}
