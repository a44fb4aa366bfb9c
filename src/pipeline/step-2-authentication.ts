import { Injectable } from '@nestjs/common';
import { AccessDenied } from '../core/access/authentication-errors';
import type { MeteredCall } from './metered-call';
import type { Step } from './step';

/** Step 2: without the credential that the operation asks for 401, without its role 403. */
@Injectable()
export class AuthenticationStep implements Step {
  run(call: MeteredCall): void {
    const { credential, policy } = call;
    if (credential.kind === 'refused') {
      throw credential.error;
    }
    if (credential.kind === 'none') {
      if (policy.auth !== 'none') {
        throw new Error('authentication ran before the credential was looked up');
      }
      return;
    }
    if (policy.role !== null && credential.account.role !== policy.role) {
      throw new AccessDenied(policy.role);
    }
    call.account = credential.account;
    if (credential.kind === 'key') {
      call.key = credential.key;
      call.secretHash = credential.secretHash;
    } else {
      call.token = credential.token;
    }
  }
}
