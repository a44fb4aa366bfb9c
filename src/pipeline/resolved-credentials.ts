import { Injectable } from '@nestjs/common';
import type { CallState } from '../contract/call-state';
import type { Credential } from './credentials';

/** Hands the credential that step 1 looked up to step 2, which judges it; nobody else may see an unjudged one. */
@Injectable()
export class ResolvedCredentials {
  private readonly byCall = new WeakMap<CallState, Credential>();

  set(call: CallState, credential: Credential): void {
    this.byCall.set(call, credential);
  }

  get(call: CallState): Credential {
    const credential = this.byCall.get(call);
    if (!credential) {
      throw new Error('authentication ran before the credential was looked up');
    }
    return credential;
  }
}
