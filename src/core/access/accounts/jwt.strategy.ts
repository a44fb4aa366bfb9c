import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Clock } from '../../../infrastructure/clock/clock';
import { TokenExpired } from '../authentication-errors';
import { AccountTokens, type TokenClaims, type TokenHolder } from './account-tokens';
import { JwtSecret } from './jwt-secret';

/** Passport's proof of an account token: signature and form here, expiry by our clock, then whether it still stands. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'account-token') {
  constructor(
    secret: JwtSecret,
    private readonly tokens: AccountTokens,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKey: secret.value,
      algorithms: ['HS256'],
      ignoreExpiration: true,
    });
  }

  async validate(claims: TokenClaims): Promise<TokenHolder | false> {
    if (typeof claims.exp !== 'number' || claims.exp * 1000 <= this.clock.now().getTime()) {
      throw new TokenExpired();
    }
    return (await this.tokens.holder(claims)) ?? false;
  }
}
