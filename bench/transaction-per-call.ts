import 'reflect-metadata';
import { Body, Controller, Headers, HttpCode, HttpException, Injectable, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Pool, type PoolClient } from 'pg';
import { hashSecret } from '../src/accounts/credentials';
import { newId } from '../src/runtime/ids';
import { echo, enveloped, type Echo } from './echo';
import { reportReady } from './report-ready';

const PRICE_NANO_USD = 100_000n;
/** As many connections as the metered service has by default. */
const CONNECTIONS_MAX = 20;

interface Locked {
  account_id: string;
  key_id: string;
  is_active: boolean;
  balance_nano: string;
  daily_limit_nano: string;
  monthly_limit_nano: string;
  per_request_limit_nano: string;
  day_spent_nano: string;
  month_spent_nano: string;
}

/**
 * What a careful service does for each call: one transaction that locks account and key, checks balance and limits,
 * and writes the balance, the key's counters, the ledger and the usage log. It neither limits rates nor validates.
 */
@Injectable()
class Charges {
  private readonly pool = new Pool({ connectionString: process.env.DATABASE_URL, max: CONNECTIONS_MAX });

  /** @throws HttpException 401 for an unknown key, 402 where balance or limits do not allow the call */
  async charge(secret: string): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      await this.chargeIn(client, secret);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  private async chargeIn(client: PoolClient, secret: string): Promise<void> {
    const { rows } = await client.query<Locked>({
      name: 'lock',
      text: LOCK,
      values: [hashSecret(secret)],
    });
    const locked = rows[0];
    if (!locked?.is_active) {
      throw new HttpException('Invalid API key', 401);
    }
    checkRoom(locked);
    const { account_id: accountId, key_id: keyId } = locked;
    const [entryId, usageId, requestId] = [newId(), newId(), newId()];
    const balanceAfter = BigInt(locked.balance_nano) - PRICE_NANO_USD;
    await client.query({ name: 'pay', text: PAY, values: [accountId, PRICE_NANO_USD] });
    await client.query({ name: 'count', text: COUNT, values: [keyId, PRICE_NANO_USD] });
    await client.query({
      name: 'enter',
      text: ENTER,
      values: [entryId, accountId, -PRICE_NANO_USD, balanceAfter, usageId, requestId, keyId],
    });
    await client.query({
      name: 'log',
      text: LOG,
      values: [usageId, accountId, keyId, requestId, PRICE_NANO_USD, entryId],
    });
  }
}

function checkRoom(locked: Locked): void {
  const rooms = [
    BigInt(locked.balance_nano),
    BigInt(locked.per_request_limit_nano),
    BigInt(locked.daily_limit_nano) - BigInt(locked.day_spent_nano),
    BigInt(locked.monthly_limit_nano) - BigInt(locked.month_spent_nano),
  ];
  if (rooms.some((room) => room < PRICE_NANO_USD)) {
    throw new HttpException('Payment Required', 402);
  }
}

const LOCK = `
  SELECT a.id AS account_id, a.balance_nano, k.id AS key_id, k.is_active AND a.is_open AS is_active,
    k.daily_limit_nano, k.monthly_limit_nano, k.per_request_limit_nano,
    CASE WHEN k.spent_day = current_date THEN k.day_spent_nano ELSE 0 END AS day_spent_nano,
    CASE WHEN k.spent_month = date_trunc('month', current_date) THEN k.month_spent_nano ELSE 0 END AS month_spent_nano
  FROM keys AS k JOIN accounts AS a ON a.id = k.account_id WHERE k.secret_hash = $1 FOR UPDATE`;

const PAY = `UPDATE accounts SET balance_nano = balance_nano - $2 WHERE id = $1`;

const COUNT = `
  UPDATE keys SET
    day_spent_nano = CASE WHEN spent_day = current_date THEN day_spent_nano ELSE 0 END + $2,
    month_spent_nano = CASE WHEN spent_month = date_trunc('month', current_date) THEN month_spent_nano ELSE 0 END + $2,
    spent_day = current_date, spent_month = date_trunc('month', current_date), last_used_at = now()
  WHERE id = $1`;

const ENTER = `
  INSERT INTO ledger (id, account_id, type, amount_nano, balance_after_nano, description, reference_id, request_id,
    key_id, created_at)
  VALUES ($1, $2, 'charge', $3, $4, 'benchEcho', $5, $6, $7, now())`;

const LOG = `
  INSERT INTO usage (id, account_id, key_id, request_id, operation, outcome, status, price, charged_nano, entry_id,
    created_at)
  VALUES ($1, $2, $3, $4, 'benchEcho', 'settled', 201, 'memory_operation', $5, $6, now())`;

@Controller()
class EchoController {
  constructor(private readonly charges: Charges) {}

  @Post('/echo')
  @HttpCode(201)
  async echo(@Headers('x-api-key') secret: string, @Body() body: Echo): Promise<object> {
    await this.charges.charge(secret);
    return enveloped(echo(body));
  }
}

@Module({ controllers: [EchoController], providers: [Charges] })
class TransactionModule {}

async function main(): Promise<void> {
  const application = await NestFactory.create(TransactionModule, new FastifyAdapter(), { logger: false });
  await application.listen(0, '127.0.0.1');
  reportReady(await application.getUrl());
}

void main();
