import { Injectable } from '@nestjs/common';
import { ACCOUNT_RATE, MessageRate } from '../../infrastructure/sockets/message-rate';
import type { OpenSocket } from './socket-holder';

/** The messages of accounts that have sockets in this process, counted by its time. */
@Injectable()
export class AccountRates {
  private readonly accounts = new Map<string, { readonly rate: MessageRate; sockets: number }>();

  /** The rate that an open socket shares with all others of its account. */
  of(socket: OpenSocket): MessageRate {
    const { accountId } = socket.holder;
    const account = this.accounts.get(accountId) ?? {
      rate: new MessageRate(performance.now(), ACCOUNT_RATE),
      sockets: 0,
    };
    this.accounts.set(accountId, account);
    account.sockets += 1;
    socket.onClose(() => {
      account.sockets -= 1;
      if (account.sockets === 0) {
        this.accounts.delete(accountId);
      }
    });
    return account.rate;
  }
}
