import { Logger } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const BATCH_SIZE = 1000;
/** An address is no longer; the index could not hold one that is much longer. */
const FORM_LENGTH_MAX = 254;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Brings the e-mail addresses of all accounts to their normal form, which is unique from now on. Where several accounts
 * have one form, the account that had it already gets it, or else the oldest; the others keep their spelling, by which,
 * and by which alone, they can still log in. Their ids are logged.
 */
export class EmailForms1764500100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Settlements lock reservations, and their entries then ask for the account. Locked the other way around, as the next
    // migration would by changing reservations, each would wait for the other.
    await runner.query('LOCK TABLE reservations IN ACCESS EXCLUSIVE MODE');
    await runner.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
    await runner.query(PREPARE);
    for (let after: string | null = FIRST_ID; after !== null;) {
      after = await collectForms(runner, after);
    }
    await runner.query(CONVERT);
    await runner.query('CREATE UNIQUE INDEX accounts_email ON accounts (email)');
    const kept = (await runner.query(KEPT)) as { id: string }[];
    await runner.query('DROP TABLE email_forms');
    if (kept.length > 0) {
      const ids = kept.map(({ id }) => id).join(', ');
      new Logger(EmailForms1764500100000.name).warn(
        `${kept.length} accounts keep the spelling of their e-mail address: its normal form is another account's, or too long: ${ids}`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX accounts_email');
    await runner.query('CREATE UNIQUE INDEX accounts_email ON accounts (lower(email))');
  }
}

/** The rule as it was when this migration was written; it must not change with that of the service. */
function formOf(email: string): string {
  return email.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** Notes the forms of the next accounts. @returns the last of their ids, or null where there are no more */
async function collectForms(runner: QueryRunner, after: string): Promise<string | null> {
  const rows = (await runner.query(NEXT, [after, BATCH_SIZE])) as { id: string; email: string }[];
  const changed = rows.filter(({ email }) => formOf(email) !== email);
  await runner.query('INSERT INTO email_forms SELECT * FROM unnest($1::uuid[], $2::text[])', [
    changed.map(({ id }) => id),
    changed.map(({ email }) => formOf(email)),
  ]);
  return rows.length < BATCH_SIZE ? null : (rows.at(-1)?.id ?? null);
}

const PREPARE = `
  DROP INDEX accounts_email;
  CREATE TEMPORARY TABLE email_forms (account_id uuid PRIMARY KEY, form text NOT NULL)`;

// ASCII without capital letters is a normal form already, and is nearly every address there is.
const NEXT = `
  SELECT id, email FROM accounts
  WHERE id > $1 AND (octet_length(email) <> length(email) OR lower(email COLLATE "C") <> email)
  ORDER BY id LIMIT $2`;

const CONVERT = `
  UPDATE accounts SET email = oldest.form
  FROM (
    SELECT DISTINCT ON (form) account_id, form
    FROM email_forms JOIN accounts AS a ON a.id = account_id
    WHERE length(form) <= ${FORM_LENGTH_MAX} AND NOT EXISTS (SELECT FROM accounts AS taken WHERE taken.email = form)
    ORDER BY form, a.created_at, a.id
  ) AS oldest
  WHERE id = oldest.account_id`;

const KEPT = `
  SELECT id FROM email_forms JOIN accounts ON id = account_id WHERE email <> form ORDER BY id`;
