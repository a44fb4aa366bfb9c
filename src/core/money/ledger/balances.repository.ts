import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Reads the balances of several accounts at once, for an operator's list of accounts. */
@Injectable()
export class Balances {
  constructor(private readonly database: DataSource) {}

  /** Nano-USD by account id; accounts that do not exist are left out. */
  async of(accountIds: readonly string[]): Promise<Map<string, bigint>> {
    const rows: { account_id: string; balance_nano: string }[] = await this.database.query(
      'SELECT account_id, balance_nano FROM balances WHERE account_id = ANY($1::uuid[])',
      [accountIds],
    );
    return new Map(rows.map((row) => [row.account_id, BigInt(row.balance_nano)]));
  }
}
