import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AccessDenied } from '../core/errors/authentication-errors';
import { callOf } from './call-of';
import { ResolvedCredentials } from './resolved-credentials';

/** Step 2: without the credential that the operation asks for 401, without its role 403. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(private readonly resolved: ResolvedCredentials) {}

  canActivate(context: ExecutionContext): boolean {
    const call = callOf(context);
    if (!call) {
      return true;
    }
    const credential = this.resolved.get(call);
    if (credential.kind === 'refused') {
      throw credential.error;
    }
    if (credential.kind === 'none') {
      return call.policy.auth === 'none';
    }
    const { id, role, tier } = credential.holder;
    if (call.policy.role !== null && role !== call.policy.role) {
      throw new AccessDenied(call.policy.role);
    }
    call.account = { id, role, tier };
    call.key = credential.kind === 'key' ? { id: credential.keyId, accountId: id } : null;
    call.secretHash = credential.kind === 'key' ? credential.secretHash : null;
    call.token = credential.kind === 'token' ? credential.token : null;
    return true;
  }
}
