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
import { Serves } from '../../contract/serves.decorator';
import { toSession, toUser } from './auth.mapper';
import { AuthService } from './auth.service';

@Serves(authApi)
export class AuthController implements AuthApi {
  constructor(private readonly auth: AuthService) {}

  async register({ body }: RegisterCall): Promise<User> {
    return toUser(await this.auth.register(body));
  }

  async login({ body }: LoginCall): Promise<Session> {
    return toSession(await this.auth.login(body.email, body.password));
  }

  async getCurrentUser({ account }: GetCurrentUserCall): Promise<User> {
    return toUser(await this.auth.get(account.id));
  }

  async changePassword({ account, token, body }: ChangePasswordCall): Promise<PasswordChanged> {
    const { current_password: current, new_password: next } = body;
    await this.auth.changePassword({ accountId: account.id, tokenVersion: token.ver, current, next });
    return { message: 'The password is changed. All account tokens have ended; log in again.' };
  }

  async refreshToken({ account, token }: RefreshTokenCall): Promise<Session> {
    return toSession(await this.auth.refresh(account.id, token));
  }

  async logout({ account, token }: LogoutCall): Promise<void> {
    await this.auth.logout(account.id, token);
  }
}
