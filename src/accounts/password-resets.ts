import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { createTransport, type Transporter } from 'nodemailer';
import { Configuration } from '../config/configuration';
import { apiError, Unprocessable } from '../errors/api-errors';
import { Clock } from '../runtime/clock';
import { isId } from '../runtime/ids';
import { type Account, Accounts } from './accounts';
import { fingerprint } from './credentials';
import { normalEmail } from './email-address';
import { RateLimiter, type RateSubject } from './rate-limiter';
import { RateLimitExceeded } from './rate-windows';

const WAITING_MAX = 200;
const CONNECTIONS_MAX = 2;
const ANSWER_WITHIN_MS = 10_000;

/** Mail not sent when the process ends is lost, and can be requested again. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly logger = new Logger(Mailer.name);
  private readonly transport: Transporter | null;
  private readonly from: string | null;
  private waiting = 0;

  constructor({ smtpUrl, mailFrom }: Configuration) {
    this.from = mailFrom;
    this.transport =
      smtpUrl === null
        ? null
        : createTransport({
            url: smtpUrl,
            pool: true,
            maxConnections: CONNECTIONS_MAX,
            connectionTimeout: ANSWER_WITHIN_MS,
            greetingTimeout: ANSWER_WITHIN_MS,
            socketTimeout: ANSWER_WITHIN_MS,
          });
  }

  get isConfigured(): boolean {
    return this.transport !== null && this.from !== null;
  }

  /** Logs a failure without the text, which opens an account. */
  sendLater({ to, subject, text }: { to: string; subject: string; text: string }): void {
    if (this.transport === null || this.from === null) {
      throw new Unprocessable('This installation sends no e-mail.');
    }
    if (this.waiting >= WAITING_MAX) {
      this.logger.error('an e-mail was dropped, because too many wait');
      return;
    }
    this.waiting += 1;
    this.transport
      .sendMail({ from: this.from, to, subject, text })
      .catch((error: Error) => this.logger.error({ message: 'an e-mail was not sent', error: error.message }))
      .finally(() => (this.waiting -= 1));
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

/** Account tokens have no audience, and these lack the id that account tokens need. */
const AUDIENCE = 'password-reset';
const MAILED_FOR_MS = 60 * 60 * 1000;
const GIVEN_FOR_MS = 24 * 60 * 60 * 1000;
/** After # the token is in no log and no Referer. */
const PAGE = 'console/#token=';

const HOUR = { name: 'hour', lengthMs: 3_600_000 } as const;
const ASKED_FOR_AN_EMAIL = [{ ...HOUR, limit: 3 }];
const ASKED_FROM_AN_ADDRESS = [{ ...HOUR, limit: 30 }];

class LinkRefused extends apiError(
  422,
  'Unprocessable',
  () => 'The link was used, has expired or was replaced; ask for a new one.',
) {}

export interface PasswordLink {
  path: string;
  /** Null where PUBLIC_URL is not set. */
  url: string | null;
  expiresAt: Date;
}

interface LinkClaims {
  sub: string;
  ver: number;
  exp: number;
  mailed: boolean;
}

/** Signed with the token version, which the new password raises, so it works once on any replica. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly jwt: JwtService,
    private readonly accounts: Accounts,
    private readonly limiter: RateLimiter,
    private readonly mailer: Mailer,
    private readonly configuration: Configuration,
    private readonly clock: Clock,
  ) {}

  get sendsEmail(): boolean {
    return this.mailer.isConfigured && this.configuration.publicUrl !== null;
  }

  give(account: Pick<Account, 'id' | 'tokenVersion'>): PasswordLink {
    return this.link(account, GIVEN_FOR_MS, false);
  }

  /** Unknown addresses get the same answer in the same time: mail is sent later. @throws RateLimitExceeded */
  async mail(email: string, addressBlock: string): Promise<void> {
    const address = normalEmail(email);
    await this.count(address, addressBlock);
    const account = await this.accounts.findByEmail(email);
    if (account?.isActive) {
      const { url, expiresAt } = this.link(account, MAILED_FOR_MS, true);
      this.mailer.sendLater({
        to: account.email,
        subject: 'Set a new password',
        text: `Somebody, probably you, asked for a new password for ${account.username}.\n\n${url}\n\nThe link works once, until ${expiresAt.toUTCString()}. If it was not you, do nothing.\n`,
      });
    }
  }

  /** @throws Unprocessable for a foreign or expired link */
  read(token: string): LinkClaims {
    const claims = this.verified(token);
    if (!claims || claims.exp * 1000 <= this.clock.now().getTime()) {
      throw new LinkRefused();
    }
    return claims;
  }

  /** Ends every token and session. @throws Unprocessable for a used link */
  async use({ sub, ver, mailed }: LinkClaims, passwordHash: string): Promise<void> {
    const isChanged = await this.accounts.changePassword(sub, ver, passwordHash, { confirmsEmail: mailed });
    if (!isChanged) {
      throw new LinkRefused();
    }
  }

  private link(
    { id, tokenVersion }: Pick<Account, 'id' | 'tokenVersion'>,
    lifetimeMs: number,
    mailed: boolean,
  ): PasswordLink {
    const expiresAt = new Date(Math.floor((this.clock.now().getTime() + lifetimeMs) / 1000) * 1000);
    const claims: LinkClaims = { sub: id, ver: tokenVersion, exp: expiresAt.getTime() / 1000, mailed };
    const path = PAGE + this.jwt.sign(claims, { audience: AUDIENCE });
    const { publicUrl } = this.configuration;
    return { path, url: publicUrl && `${publicUrl.replace(/\/+$/, '')}/${path}`, expiresAt };
  }

  private verified(token: string): LinkClaims | null {
    try {
      const options = { algorithms: ['HS256' as const], audience: AUDIENCE, ignoreExpiration: true };
      const claims = this.jwt.verify<LinkClaims>(token, options);
      return isId(claims.sub) && Number.isInteger(claims.ver) && Number.isFinite(claims.exp) ? claims : null;
    } catch {
      return null;
    }
  }

  private async count(email: string, addressBlock: string): Promise<void> {
    const subjects: RateSubject[] = [
      { id: `login:reset:${fingerprint(`email ${email}`)}`, windows: ASKED_FOR_AN_EMAIL },
      { id: `login:reset:${fingerprint(`address ${addressBlock}`)}`, windows: ASKED_FROM_AN_ADDRESS },
    ];
    const decision = await this.limiter.take(subjects, this.clock.now().getTime());
    if (!decision.allowed) {
      throw new RateLimitExceeded(decision);
    }
  }
}
