import {
  authApi,
  type AuthApi,
  type ChangePasswordCall,
  type GetCurrentUserCall,
  type LoginCall,
  type LogoutCall,
  type RefreshTokenCall,
  type RegisterCall,
} from '../../../generated/contract';
import type { PasswordChanged, Session, User } from '../../../generated/types';
import { addressBlock } from '../../core/access/rate-limits/address-block';
import { Serves } from '../../contract/serves.decorator';
import { toSession, toUser } from './auth.mapper';
import { AuthService } from './auth.service';

@Serves(authApi)
export class AuthController implements AuthApi {
  constructor(private readonly auth: AuthService) {}

  async register({ body, callerAddress }: RegisterCall): Promise<User> {
    return toUser(await this.auth.register(body, addressBlock(callerAddress)));
  }

  async login({ body, callerAddress }: LoginCall): Promise<Session> {
    const { email, password } = body;
    return toSession(await this.auth.login(email, password, addressBlock(callerAddress)));
  }

  async getCurrentUser({ account }: GetCurrentUserCall): Promise<User> {
    return toUser(await this.auth.get(account.id));
  }

  async changePassword({
    account,
    token,
    body,
    callerAddress,
  }: ChangePasswordCall): Promise<PasswordChanged> {
    const { current_password: current, new_password: next } = body;
    await this.auth.changePassword({
      accountId: account.id,
      tokenVersion: token.ver,
      current,
      next,
      addressBlock: addressBlock(callerAddress),
    });
    return { message: 'The password is changed. All account tokens have ended; log in again.' };
  }

  async refreshToken({ account, token }: RefreshTokenCall): Promise<Session> {
    return toSession(await this.auth.refresh(account.id, token));
  }

  async logout({ account, token }: LogoutCall): Promise<void> {
    await this.auth.logout(account.id, token);
  }
}
