import { Injectable } from '@nestjs/common';
import { KeyAddresses } from '../accounts/anomaly-observations';
import { AccessDenied, InvalidApiKey } from '../accounts/credentials';
import { InvalidKeyCalls } from '../accounts/refused-calls';
import type { KeyPrincipal, OperationPolicy } from '../contract/operation';
import type { MeteredCall } from './metered-call';
import type { Step } from './steps';

/** Step 2: without the credential that the operation asks for 401, without its role 403. */
@Injectable()
export class AuthenticationStep implements Step {
  readonly name = 'authentication';

  constructor(
    private readonly invalidKeys: InvalidKeyCalls,
    private readonly addresses: KeyAddresses,
  ) {}

  isPassedBy({ auth }: OperationPolicy): boolean {
    return auth !== 'none';
  }

  run(call: MeteredCall): void {
    const { credential, policy } = call;
    if (credential.kind === 'refused') {
      if (credential.error instanceof InvalidApiKey) {
        this.noteInvalidKey(call);
      }
      throw credential.error;
    }
    if (credential.kind === 'none') {
      throw new Error('authentication ran before the credential was looked up');
    }
    if (policy.role !== null && credential.account.role !== policy.role) {
      throw new AccessDenied(policy.role);
    }
    call.caller = credential;
    if (credential.kind === 'key') {
      this.noteAddress(call, credential.key);
    }
  }

  // Calls from within the service show no secret and come from no address.

  private noteInvalidKey({ transport: { caller }, startedAt }: MeteredCall): void {
    if (caller.kind === 'secrets') {
      this.invalidKeys.note(caller.apiKey ?? caller.bearer ?? '', startedAt);
    }
  }

  private noteAddress({ transport: { caller, address }, startedAt }: MeteredCall, key: KeyPrincipal): void {
    if (caller.kind === 'secrets') {
      this.addresses.note(key, address, startedAt);
    }
  }
}
